//! GUID, HRESULT and other words that are not D3D12's own.

use core::fmt;

use super::abi;

/// A Windows error code: negative where it is one.
#[repr(transparent)]
#[derive(Clone, Copy, PartialEq, Eq)]
#[must_use]
pub struct HRESULT(pub i32);

/// The number of an HRESULT, as headers write it.
const fn code(number: u32) -> HRESULT {
    HRESULT(number.cast_signed())
}

impl HRESULT {
    #[must_use]
    pub const fn is_ok(self) -> bool {
        self.0 >= 0
    }
}

impl fmt::Debug for HRESULT {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "HRESULT({:#010x})", self.0)
    }
}

pub const S_OK: HRESULT = HRESULT(0);
pub const S_FALSE: HRESULT = HRESULT(1);
pub const E_NOTIMPL: HRESULT = code(0x8000_4001);
pub const E_NOINTERFACE: HRESULT = code(0x8000_4002);
pub const E_POINTER: HRESULT = code(0x8000_4003);
pub const E_FAIL: HRESULT = code(0x8000_4005);
pub const E_ACCESSDENIED: HRESULT = code(0x8007_0005);
pub const E_FILE_NOT_FOUND: HRESULT = code(0x8007_0002);
pub const E_HANDLE: HRESULT = code(0x8007_0006);
pub const E_OUTOFMEMORY: HRESULT = code(0x8007_000e);
pub const E_INVALIDARG: HRESULT = code(0x8007_0057);
pub const DXGI_ERROR_INVALID_CALL: HRESULT = code(0x887a_0001);
pub const DXGI_ERROR_NOT_FOUND: HRESULT = code(0x887a_0002);
pub const DXGI_ERROR_MORE_DATA: HRESULT = code(0x887a_0003);
pub const DXGI_ERROR_UNSUPPORTED: HRESULT = code(0x887a_0004);
pub const DXGI_ERROR_DEVICE_REMOVED: HRESULT = code(0x887a_0005);
pub const DXGI_ERROR_DEVICE_HUNG: HRESULT = code(0x887a_0006);
pub const DXGI_ERROR_DRIVER_INTERNAL_ERROR: HRESULT = code(0x887a_0020);
pub const DXGI_ERROR_NAME_ALREADY_EXISTS: HRESULT = code(0x887a_002c);
pub const D3D12_ERROR_ADAPTER_NOT_FOUND: HRESULT = code(0x887e_0001);
pub const D3D12_ERROR_DRIVER_VERSION_MISMATCH: HRESULT = code(0x887e_0002);

/// winadapter's: 4 bytes without a sign (facts/abi.md, winadapter).
pub type BOOL = u32;

/// An interface's or class's identifier.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct GUID {
    pub Data1: u32,
    pub Data2: u16,
    pub Data3: u16,
    pub Data4: [u8; 8],
}

const _: () = assert!(size_of::<GUID>() == 16);

impl GUID {
    /// Of its usual text, `00000000-0000-0000-c000-000000000046`. Used for constants: another text does not compile.
    #[must_use]
    pub const fn parse(text: &str) -> GUID {
        let text = text.as_bytes();
        assert!(text.len() == 36);
        let mut digits = [0_u8; 32];
        let (mut at, mut count) = (0, 0);
        while at < 36 {
            if matches!(at, 8 | 13 | 18 | 23) {
                assert!(text[at] == b'-');
            } else {
                digits[count] = match text[at] {
                    digit @ b'0'..=b'9' => digit - b'0',
                    digit @ b'a'..=b'f' => digit - b'a' + 10,
                    digit @ b'A'..=b'F' => digit - b'A' + 10,
                    _ => panic!("a hexadecimal digit"),
                };
                count += 1;
            }
            at += 1;
        }
        let mut bytes = [0_u8; 16];
        let mut index = 0;
        while index < 16 {
            bytes[index] = digits[2 * index] << 4 | digits[2 * index + 1];
            index += 1;
        }
        let [a, b, c, d, e, f, g, h, rest @ ..] = bytes;
        GUID {
            Data1: u32::from_be_bytes([a, b, c, d]),
            Data2: u16::from_be_bytes([e, f]),
            Data3: u16::from_be_bytes([g, h]),
            Data4: rest,
        }
    }
}

abi! {
    #[derive(Debug, PartialEq, Eq)]
    pub struct LUID: 8 { LowPart: u32 = 0, HighPart: i32 = 4, }
}

/// ID3DDestructionNotifier's callback.
pub type PFN_DESTRUCTION_CALLBACK = Option<unsafe extern "C" fn(data: *mut core::ffi::c_void)>;
