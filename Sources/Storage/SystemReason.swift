private import Glibc

/// The system's reasons in words that a user understands.
public enum SystemReason {
  /// Words for the last failed system call.
  public static func words() -> String { words(errno) }

  /// Words for an error number (errno.h).
  public static func words(_ number: Int32) -> String {
    switch number {
    case ENOENT: "there is no such file or folder"
    case EACCES, EPERM: "you have no permission"
    case EROFS: "the disk is read-only"
    case ENOSPC: "the disk is full"
    case EDQUOT: "your quota of the disk is used up"
    case EFBIG: "the file is larger than the system's limit allows"
    case ENAMETOOLONG: "the name is too long"
    case ENOTDIR: "a part of the path is a file, not a folder"
    case EISDIR: "it is a folder"
    case ELOOP: "its links lead in a circle"
    case EMFILE, ENFILE: "too many files are open; raise the limit (ulimit -n)"
    case EEXIST, ENOTEMPTY: "it exists"
    case EIO: "the disk reports an error"
    default: String(cString: strerror(number))
    }
  }
}
