// Format: numpy.lib.format, versions 1.0 to 3.0. Element types are admitted by name; a pickle is never read.
#include "engine/document/npy_header.h"

#include <set>

namespace engine {

namespace {

constexpr std::string_view kReadable = "use bool, integers of 8 to 64 bits, or floats of 16, 32 or 64 bits";

// Reads the literal from left to right; the first fault stops it.
class HeaderParser {
public:
    HeaderParser(std::string_view text, const std::string& name, std::size_t offset)
        : m_text(text), m_name(name), m_offset(offset)
    {
    }

    Result<NpyHeader> parse()
    {
        expect('{');
        while (!m_error && !accept('}')) {
            parseItem();
            if (!m_error && !accept(',') && !isNext('}'))
                fail("a comma or } is missing");
        }
        skipSpace();
        if (!m_error && m_at != m_text.size())
            fail("there is text after the dictionary");
        if (!m_error && m_seen.size() != 3)
            fail("descr, fortran_order and shape are not all there");
        if (m_error)
            return *m_error;
        return m_header;
    }

private:
    void parseItem()
    {
        const std::string key = parseString();
        if (m_error)
            return;
        if (!m_seen.insert(key).second)
            return fail("the key '" + key + "' is there twice");
        expect(':');
        if (key == "descr")
            parseDescr();
        else if (key == "fortran_order")
            m_header.isFortran = parseBool();
        else if (key == "shape")
            parseShape();
        else
            fail("the key '" + key + "' is unknown");
    }

    void parseDescr()
    {
        if (isNext('[') || isNext('(')) {
            m_error = Error{"array-dtype", m_name, "the elements are records (a structured dtype)",
                            "save each field as an array of its own"};
            return;
        }
        const std::string descr = parseString();
        if (m_error)
            return;
        const bool hasOrder = !descr.empty() && std::string_view("<>|=").find(descr[0]) != std::string_view::npos;
        m_header.isBigEndian = hasOrder && descr[0] == '>';
        const std::string kind = hasOrder ? descr.substr(1) : descr;
        static constexpr std::pair<std::string_view, DType> kKinds[] = {
            {"f8", DType::f64}, {"f4", DType::f32}, {"f2", DType::f16}, {"i8", DType::i64},
            {"i4", DType::i32}, {"i2", DType::i16}, {"i1", DType::i8},  {"u8", DType::u64},
            {"u4", DType::u32}, {"u2", DType::u16}, {"u1", DType::u8},  {"b1", DType::boolean},
        };
        for (const auto& [text, dtype] : kKinds)
            if (kind == text) {
                m_header.dtype = dtype;
                return;
            }
        refuse(descr, kind.substr(0, 1));
    }

    void refuse(const std::string& descr, std::string_view kind)
    {
        std::string what = "is not a dtype this program reads", remedy(kReadable);
        if (kind == "c") {
            what = "is complex";
            remedy = "save the real and the imaginary part as arrays of their own";
        } else if (kind == "f" || kind == "g") {
            what = "is a long double, which differs from machine to machine";
            remedy = "save it as float64";
        } else if (kind == "V") {
            what = "is raw bytes without a type (NumPy saves bfloat16 and float8 like this)";
            remedy = "save a view as uint16 or uint8 and name the dtype in a .mantissa file, or save as float32";
        } else if (kind == "O") {
            what = "holds Python objects (a pickle), which are never loaded";
        } else if (kind == "S" || kind == "U" || kind == "a") {
            what = "is text";
        } else if (kind == "M" || kind == "m") {
            what = "is dates or durations";
        }
        m_error = Error{"array-dtype", m_name, "dtype '" + descr.substr(0, 40) + "' " + what, remedy};
    }

    void parseShape()
    {
        std::vector<std::int64_t> dims;
        expect('(');
        bool needsComma = false;
        while (!m_error && !accept(')')) {
            if (needsComma)
                return fail("a comma is missing in the shape");
            dims.push_back(parseInteger());
            needsComma = !accept(',');
            if (dims.size() > static_cast<std::size_t>(kMaxRank))
                return fail("the shape has more than " + std::to_string(kMaxRank) + " dimensions");
        }
        if (!m_error && dims.size() == 1 && needsComma)
            fail("(n) is no tuple");
        m_header.shape = Shape(std::move(dims));
    }

    std::int64_t parseInteger()
    {
        skipSpace();
        std::int64_t value = 0;
        const std::size_t start = m_at;
        while (m_at < m_text.size() && m_text[m_at] >= '0' && m_text[m_at] <= '9') {
            value = value * 10 + (m_text[m_at++] - '0');
            if (value > kMaxElements) {
                fail("a dimension is larger than 2^40");
                return 0;
            }
        }
        if (m_at == start)
            fail("a dimension is not a whole number");
        else if (m_at < m_text.size() && m_text[m_at] == 'L')
            ++m_at; // Python 2 wrote long integers like this
        return value;
    }

    bool parseBool()
    {
        skipSpace();
        for (const auto& [word, value] : {std::pair{std::string_view("True"), true}, {"False", false}})
            if (m_text.substr(m_at, word.size()) == word) {
                m_at += word.size();
                return value;
            }
        fail("fortran_order is neither True nor False");
        return false;
    }

    std::string parseString()
    {
        skipSpace();
        if (m_at >= m_text.size() || (m_text[m_at] != '\'' && m_text[m_at] != '"')) {
            fail("a text in quotes is missing");
            return {};
        }
        const std::size_t end = m_text.find(m_text[m_at], m_at + 1);
        if (end == std::string_view::npos) {
            fail("a quote is not closed");
            return {};
        }
        const std::string_view text = m_text.substr(m_at + 1, end - m_at - 1);
        for (const char c : text)
            if (c < ' ' || c > '~' || c == '\\') {
                fail("a text has an odd character");
                return {};
            }
        m_at = end + 1;
        return std::string(text.substr(0, 60));
    }

    void skipSpace()
    {
        while (m_at < m_text.size() && (m_text[m_at] == ' ' || m_text[m_at] == '\n' || m_text[m_at] == '\t'))
            ++m_at;
    }
    bool isNext(char c)
    {
        skipSpace();
        return m_at < m_text.size() && m_text[m_at] == c;
    }
    bool accept(char c)
    {
        const bool found = isNext(c);
        m_at += found ? 1 : 0;
        return found;
    }
    void expect(char c)
    {
        if (!m_error && !accept(c))
            fail(std::string("'") + c + "' is missing");
    }
    void fail(const std::string& what)
    {
        if (!m_error)
            m_error = Error{"array-header", m_name + ", byte " + std::to_string(m_offset + m_at),
                            "the .npy header is damaged: " + what, "write the file again with numpy.save"};
    }

    std::string_view m_text;
    const std::string& m_name;
    std::size_t m_offset, m_at = 0;
    std::set<std::string> m_seen;
    NpyHeader m_header;
    std::optional<Error> m_error;
};

} // namespace

Result<NpyHeader> parseNpyHeader(std::string_view text, const std::string& name, std::size_t offset)
{
    return HeaderParser(text, name, offset).parse();
}

} // namespace engine
