// Whole files in and out. Writing goes through a temporary file in the same folder, fsync and rename, so that
// whoever reads the path sees the old file or the new one, after a crash too.
#include "engine/document/array_files.h"
#include "engine/document/byte_stream.h"

#include <atomic>
#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

namespace engine {

namespace {

class FileDescriptor {
public:
    explicit FileDescriptor(int fd) : m_fd(fd) {}
    FileDescriptor(const FileDescriptor&) = delete;
    FileDescriptor& operator=(const FileDescriptor&) = delete;
    ~FileDescriptor() { close(); }
    int get() const { return m_fd; }
    bool close()
    {
        const int fd = std::exchange(m_fd, -1);
        return fd < 0 || ::close(fd) == 0;
    }

private:
    int m_fd;
};

std::string reason()
{
    return std::error_code(errno, std::generic_category()).message();
}

Error writeError(const std::string& path, const std::string& what, const std::string& remedy)
{
    return {"file-write", path, what + ": " + reason(), remedy};
}

bool writeAll(int fd, std::span<const std::byte> bytes)
{
    while (!bytes.empty()) {
        const ssize_t n = ::write(fd, bytes.data(), std::min(bytes.size(), std::size_t{1} << 30));
        if (n < 0 && errno != EINTR)
            return false;
        bytes = bytes.subspan(n > 0 ? static_cast<std::size_t>(n) : 0);
    }
    return true;
}

// A name that no other process and no other call of this one uses.
int openTemporary(const std::string& target, std::string& name)
{
    static std::atomic<unsigned> counter{0};
    const std::filesystem::path path(target);
    for (int attempt = 0; attempt < 100; ++attempt) {
        const std::string tail = std::to_string(::getpid()) + "-" + std::to_string(counter++);
        name = (path.parent_path() / ("." + path.filename().string().substr(0, 200) + "." + tail + ".tmp")).string();
        const int fd = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd >= 0 || errno != EEXIST)
            return fd;
    }
    return -1;
}

Status replaceFile(const std::string& target, std::span<const std::byte> bytes)
{
    struct stat old = {};
    const bool exists = ::stat(target.c_str(), &old) == 0;
    if (exists && !S_ISREG(old.st_mode))
        return Error{"file-write", target, "this is not a regular file", "save under another name"};
    if (exists && ::access(target.c_str(), W_OK) != 0)
        return writeError(target, "the file cannot be written", "make it writable, or save under another name");
    std::string temporary;
    FileDescriptor file(openTemporary(target, temporary));
    if (file.get() < 0)
        return writeError(target, "its folder takes no new file", "choose a folder that exists and can be written");
    // The umask shaped a new file's mode; a replaced file keeps its own.
    const bool written = (!exists || ::fchmod(file.get(), old.st_mode & 07777) == 0) && writeAll(file.get(), bytes) &&
                         ::fsync(file.get()) == 0 && file.close() && ::rename(temporary.c_str(), target.c_str()) == 0;
    if (!written) {
        const Error error =
            writeError(target, "writing " + std::to_string(bytes.size()) + " bytes failed, the old file is untouched",
                       "free space on the disk, or save elsewhere");
        ::unlink(temporary.c_str());
        return error;
    }
    // The new file is in place either way; a folder that cannot be synced is not worth a failed save.
    const std::string folder = std::filesystem::path(target).parent_path().string();
    const FileDescriptor directory(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (directory.get() >= 0)
        (void)::fsync(directory.get());
    return success();
}

} // namespace

Status writeFileAtomically(const std::string& path, std::span<const std::byte> bytes)
{
    try {
        // A link stays a link: what it points to is replaced.
        std::error_code code;
        std::filesystem::path target = std::filesystem::weakly_canonical(path, code);
        if (code)
            target = std::filesystem::absolute(path);
        return replaceFile(target.string(), bytes);
    } catch (const std::exception& e) {
        return Error{"file-write", path, e.what(), "save under another name"};
    }
}

Result<FileBytes> readFileBytes(const std::string& path, const std::string& family)
{
    // Not blocking: a named pipe without a writer would wait for ever.
    const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (file.get() < 0)
        return Error{family + "-open", path, "the file cannot be opened: " + reason(), "check the path and its rights"};
    struct stat info = {};
    if (::fstat(file.get(), &info) != 0 || !S_ISREG(info.st_mode))
        return Error{family + "-open", path, "this is not a regular file", "name a file"};
    FileBytes bytes;
    bytes.size = static_cast<std::size_t>(info.st_size);
    if (bytes.size > kMaxFileBytes)
        return Error{family + "-limit", path,
                     "the file has " + std::to_string(bytes.size) + " bytes, more than " +
                         std::to_string(kMaxFileBytes),
                     "split it"};
    bytes.data.reset(new (std::nothrow) std::byte[std::max<std::size_t>(bytes.size, 1)]);
    if (!bytes.data)
        return Error{family + "-limit", path, "there is no memory for its " + std::to_string(bytes.size) + " bytes",
                     "close other programs, or use a smaller file"};
    for (std::size_t done = 0; done < bytes.size;) {
        const ssize_t n =
            ::read(file.get(), bytes.data.get() + done, std::min(bytes.size - done, std::size_t{1} << 30));
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return Error{family + "-open", path, "reading failed: " + reason(), "check the disk"};
        if (n == 0)
            return Error{family + "-truncated", path,
                         "the file ended at byte " + std::to_string(done) + " of " + std::to_string(bytes.size) +
                             " while it was read",
                         "try again when nobody writes it"};
        done += static_cast<std::size_t>(n);
    }
    return bytes;
}

} // namespace engine
