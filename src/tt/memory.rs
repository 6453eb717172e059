//! What the processor and the system can do for memory that is read at random.
//!
//! Two hints, the only unsafe code of the library: the language has no safe form of them. Without
//! them half of the time of a search is spent waiting for the table. Neither changes what the program
//! computes, and both do nothing where the platform has no such thing.

#![allow(unsafe_code)]

/// Asks the processor to bring a value near, since it will be read in a moment.
#[inline(always)]
pub(super) fn prefetch<T>(value: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: the instruction is part of every x86-64 processor, and a prefetch never faults and
        // reads nothing that the program could see; the address is that of a live value anyway.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(value).cast()) }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = value;
}

/// Asks the system to back memory that has been reserved but not yet touched by large pages: at
/// random reads, looking up small ones costs as much as the reading.
pub(super) fn prefer_large_pages<T>(reserved: &mut Vec<T>) {
    #[cfg(target_os = "linux")]
    {
        const LARGE_PAGE: usize = 2 << 20;
        let spare = reserved.spare_capacity_mut();
        let bytes = std::mem::size_of_val(spare);
        let begin = spare.as_mut_ptr() as usize;
        let aligned = begin.next_multiple_of(LARGE_PAGE);
        let length = (begin + bytes).saturating_sub(aligned) / LARGE_PAGE * LARGE_PAGE;
        if length > 0 {
            // SAFETY: the range lies inside memory that belongs to the vector, and this advice
            // changes neither its contents nor who may access it. A refusal is harmless.
            let refused =
                unsafe { libc::madvise(aligned as *mut libc::c_void, length, libc::MADV_HUGEPAGE) };
            if refused != 0 {
                log::debug!("no large pages for the transposition table");
            }
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = reserved;
}
