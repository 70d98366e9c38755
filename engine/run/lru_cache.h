// A cache by content key with a limit in bytes; the least recently used goes first. Not thread-safe: owned
// by the runner, used on its worker only.
#pragma once

#include "engine/reference/reference_run.h"

#include <list>
#include <map>

namespace engine {

template <class Value> class LruCache {
public:
    explicit LruCache(std::int64_t limitBytes) : m_limit(limitBytes) {}

    // Valid until the next insert.
    const Value* find(const ContentKey& key)
    {
        const auto it = m_index.find(key);
        if (it == m_index.end())
            return nullptr;
        m_order.splice(m_order.begin(), m_order, it->second);
        return &it->second->value;
    }

    void insert(const ContentKey& key, Value value, std::int64_t bytes)
    {
        if (m_index.contains(key) || bytes > m_limit)
            return;
        m_order.push_front({key, std::move(value), bytes});
        m_index[key] = m_order.begin();
        m_bytes += bytes;
        while (m_bytes > m_limit) {
            m_bytes -= m_order.back().bytes;
            m_index.erase(m_order.back().key);
            m_order.pop_back();
        }
    }

    std::int64_t bytes() const { return m_bytes; }
    std::size_t size() const { return m_index.size(); }

private:
    struct Entry {
        ContentKey key;
        Value value;
        std::int64_t bytes;
    };
    std::int64_t m_limit;
    std::int64_t m_bytes = 0;
    std::list<Entry> m_order;
    std::map<ContentKey, typename std::list<Entry>::iterator> m_index;
};

} // namespace engine
