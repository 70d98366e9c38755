// Errors are values: every engine function that can fail returns Result<T>; nothing in the engine
// throws across its border, prints, or aborts. An Error names a place, says what is wrong with the
// numbers in it, and offers a remedy.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace engine {

struct Error {
    std::string code;    // stable, kebab-case: "shape-mismatch", "no-kernel", "file-truncated"
    std::string place;   // what it is about: "node 3 \"conv1\", port weight" or "digits.npy, byte 10"
    std::string message; // one sentence with the real numbers
    std::string remedy;  // what the user can do; empty if nothing
    bool operator==(const Error&) const = default;
    std::string text() const; // "place: message (remedy)"
};

struct Unit {
    bool operator==(const Unit&) const = default;
};

template <class T> class [[nodiscard]] Result {
public:
    Result(T value) : m_value(std::in_place_index<0>, std::move(value)) {}
    Result(Error error) : m_value(std::in_place_index<1>, std::move(error)) {}
    bool ok() const { return m_value.index() == 0; }
    explicit operator bool() const { return ok(); }
    T& value() & { return std::get<0>(m_value); }
    const T& value() const& { return std::get<0>(m_value); }
    T&& value() && { return std::get<0>(std::move(m_value)); }
    T& operator*() & { return value(); }
    const T& operator*() const& { return value(); }
    T&& operator*() && { return std::get<0>(std::move(m_value)); }
    T* operator->() { return &value(); }
    const T* operator->() const { return &value(); }
    Error& error() { return std::get<1>(m_value); }
    const Error& error() const { return std::get<1>(m_value); }

private:
    std::variant<T, Error> m_value;
};

using Status = Result<Unit>;
inline Status success()
{
    return Unit{};
}

// Lambda sets for std::visit.
template <class... Fs> struct Overloaded : Fs... {
    using Fs::operator()...;
};
template <class... Fs> Overloaded(Fs...) -> Overloaded<Fs...>;

} // namespace engine
