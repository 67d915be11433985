import { describe, expect, it } from 'vitest'
import type { RiskLevel } from './level.ts'
import { rateSql } from './sql.ts'

describe('SQL', () => {
  it.each<[string, RiskLevel]>([
    ['SELECT * FROM t', 'none'],
    ["SELECT 'drop table t; delete from x'", 'none'],
    ['-- drop table t\nselect 1', 'none'],
    ['/* drop */ select 1', 'none'],
    ['EXPLAIN DELETE FROM t', 'none'],
    ['EXPLAIN ANALYZE DELETE FROM t', 'high'],
    ['WITH x AS (DELETE FROM t RETURNING *) SELECT * FROM x', 'high'],
    ['select 1; drop table t', 'critical'],
    ['TRUNCATE t', 'critical'],
    ['DELETE FROM t', 'critical'],
    ['DELETE FROM t WHERE 1 = 1', 'critical'],
    ["DELETE FROM t WHERE 'a'='a'", 'critical'],
    ['DELETE FROM t WHERE true', 'critical'],
    ['DELETE FROM t WHERE id = 3', 'high'],
    ['UPDATE t SET a = 1', 'high'],
    ['INSERT INTO t VALUES (1)', 'high'],
    ['SELECT * INTO t2 FROM t', 'high'],
    ["SELECT pg_read_file('/etc/passwd')", 'high'],
    ['/*! DROP TABLE t */', 'high'],
    ['\\dt', 'none'],
    ['\\! rm x', 'high'],
    ['.schema', 'none'],
    ['.shell x', 'high'],
    ['frobnicate', 'high'],
    ['', 'none'],
  ])('%s is %s', (sql, level) => {
    expect(rateSql(sql).level).toBe(level)
  })
})
