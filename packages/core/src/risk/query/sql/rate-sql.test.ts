import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type RiskLevel, riskRank } from '../../report/level.ts'
import { rateSql } from './rate-sql.ts'

describe('SQL', () => {
  it.each<[RiskLevel, readonly string[]]>([
    [
      'none',
      [
        '',
        ';;',
        'SELECT * FROM t',
        '(SELECT 1) UNION (SELECT 2)',
        "SELECT 'drop table t; delete from x'",
        '-- drop table t\nselect 1',
        '/* drop */ select 1',
        '/* a /* nested */ drop table t */ select 1',
        'SELECT $tag$ ; drop table t $tag$',
        "SELECT E'it\\'s; drop table t' FROM x",
        "SELECT 'a''b; drop table t'",
        'SELECT "drop table t" FROM x',
        'SELECT `delete` FROM `update`',
        'SELECT [drop table] FROM [dbo].[t]',
        "SELECT * FROM f WHERE path = 'C:\\'",
        "SELECT data #>> '{a,b}' FROM t",
        "SELECT replace(a, 'x', 'y'), insert(b, 1, 2, 'c') FROM t",
        'SELECT updated_at, deleted FROM t WHERE deleted = true',
        'EXPLAIN DELETE FROM t',
        'EXPLAIN (ANALYZE false) DELETE FROM t',
        'EXPLAIN ANALYZE SELECT 1',
        'WITH x AS (SELECT 1) SELECT * FROM x',
        'SHOW TABLES',
        'DESCRIBE t',
        'PRAGMA table_info(t)',
        'PRAGMA user_version',
        'BEGIN; SELECT 1; COMMIT',
        'SET search_path TO x',
        'USE app',
        'COPY t TO STDOUT',
        'EXEC sp_help t',
        'SELECT count(*) FROM t WHERE a BETWEEN 1 AND 2',
        '\\dt',
        '\\d+ users',
        '.schema',
        '.tables',
      ],
    ],
    [
      'low',
      [
        'VACUUM',
        'ANALYZE t',
        'SELECT * FROM t FOR UPDATE',
        'CREATE TEMP TABLE x AS SELECT 1',
        'SELECT TOP 5 * INTO #x FROM t',
      ],
    ],
    [
      'medium',
      [
        'PRAGMA user_version = 3',
        'REFRESH MATERIALIZED VIEW v',
        'DROP TEMPORARY TABLE x',
        'SELECT password FROM users',
        "COMMENT ON TABLE t IS 'x'",
      ],
    ],
    [
      'high',
      [
        'DELETE FROM t WHERE id = 3',
        'DELETE FROM t WHERE id = 3 AND 1 = 1',
        'DELETE FROM t WHERE 1 = 0 OR id = 3',
        'DELETE FROM t WHERE CURRENT OF c',
        'DELETE FROM t WHERE id IN (SELECT id FROM u WHERE old)',
        'DELETE FROM t WHERE id = $1',
        'UPDATE t SET a = 1',
        'UPDATE t SET a = (SELECT 1 WHERE true)',
        'UPDATE t SET a = 1 WHERE id = 2',
        'INSERT INTO t VALUES (1)',
        'INSERT INTO t SELECT * FROM u ON CONFLICT DO UPDATE SET a = 1',
        'REPLACE INTO t VALUES (1)',
        'SELECT * INTO t2 FROM t',
        "SELECT 1 INTO OUTFILE '/tmp/x'",
        "SELECT pg_read_file('/etc/passwd')",
        'SELECT pg_terminate_backend(1)',
        "SELECT load_file('/etc/passwd')",
        "SELECT * FROM dblink('x', 'y')",
        "SELECT lo_export(1, '/tmp/x')",
        'SELECT * FROM pg_shadow',
        'SELECT * FROM mysql.user',
        "EXEC xp_cmdshell 'dir'",
        'EXEC frob',
        'CALL frob()',
        'DO $$ BEGIN PERFORM 1; END $$',
        "COPY t TO PROGRAM 'sh'",
        "COPY t FROM '/x'",
        'GRANT ALL ON t TO bob',
        'REVOKE ALL ON t FROM bob',
        'ALTER ROLE bob SUPERUSER',
        'ALTER TABLE t ADD c int',
        'ALTER TABLE t DROP COLUMN c',
        'CREATE TABLE t (id int, x int REFERENCES y ON DELETE CASCADE)',
        "CREATE USER bob PASSWORD 'x'",
        'CREATE TRIGGER x AFTER INSERT ON t BEGIN DELETE FROM log; END',
        'DROP INDEX x',
        'VACUUM FULL t',
        'REINDEX t',
        'MERGE INTO t USING s ON t.id = s.id WHEN MATCHED THEN DELETE',
        'PRAGMA writable_schema = 1',
        "ATTACH 'x.db' AS y",
        'SET GLOBAL general_log = 1',
        "LOAD DATA INFILE 'x' INTO TABLE t",
        '\\! rm x',
        "\\copy t to 'x'",
        'select 1 \\g |sh',
        '.shell x',
        '.read x.sql',
        'system rm x',
        'frobnicate',
        "SELECT 'open",
        'SELECT /* open',
        '= 1',
      ],
    ],
    [
      'critical',
      [
        'select 1; drop table t',
        'SELECT * FROM t DROP TABLE x',
        'DROP DATABASE d',
        'DROP SCHEMA IF EXISTS s CASCADE',
        'TRUNCATE t',
        'TRUNCATE TABLE a, b CASCADE',
        'DELETE FROM t',
        'DELETE FROM t;',
        'DELETE FROM t WHERE 1 = 1',
        "DELETE FROM t WHERE 'a'='a'",
        'DELETE FROM t WHERE true',
        'DELETE FROM t WHERE (1)',
        'DELETE FROM t WHERE NOT false',
        'DELETE FROM t WHERE id = id',
        'DELETE FROM t WHERE id IS NOT NULL OR x = 1',
        'DELETE FROM t WHERE id = 3 OR 1=1',
        'DELETE FROM t WHERE id > 0',
        "DELETE FROM t WHERE name LIKE '%'",
        'DELETE FROM t WHERE 2 > 1 RETURNING *',
        'DELETE FROM t WHERE EXISTS (SELECT 1)',
        'DELETE FROM t WHERE id IN (SELECT id FROM t)',
        'DELETE [t] WHERE 1=1',
        'DELETE FROM `t` WHERE id=id # x',
        'EXPLAIN ANALYZE DELETE FROM t',
        'WITH x AS (DELETE FROM t RETURNING *) SELECT * FROM x',
        'WITH x AS (SELECT 1) DELETE FROM t',
        '/*! DROP TABLE t */',
        '/*!50000 DROP TABLE t */',
        "SELECT 'a\\'; DROP TABLE t; -- '",
        'SELECT 1 # /*\n; DROP TABLE t; -- */',
        'PREPARE x AS DROP TABLE t',
        'SELECT 1\nGO\nDROP TABLE t',
        'SHUTDOWN',
        'DO $$ BEGIN DELETE FROM t; END $$',
        "EXEC('DROP TABLE t')",
        "EXECUTE IMMEDIATE 'DROP TABLE t'",
        'RESTORE DATABASE d FROM DISK = 1',
      ],
    ],
  ])('is %s for each of these', (level, texts) => {
    const rated = texts.map((text) => [text, rateSql(text).level])
    expect(rated).toEqual(texts.map((text) => [text, level]))
  })

  it('reports the table, and how much of it is affected', () => {
    expect(rateSql('delete from Public."Users" where 1=1').extent).toEqual({ reach: 'all', target: 'Public.Users' })
    expect(rateSql('UPDATE ONLY orders SET a = 1 WHERE id = 2').extent).toEqual({ reach: 'several', target: 'orders' })
    expect(rateSql('DROP TABLE IF EXISTS a.b').extent).toEqual({ reach: 'all', target: 'a.b' })
  })

  it('reports what can’t be undone', () => {
    expect(rateSql('DROP TABLE t').reversible).toBe('no')
    expect(rateSql('DELETE FROM t WHERE id = 1').reversible).toBe('no')
    expect(rateSql('SELECT 1').reversible).toBe('yes')
  })

  it('never rates lower for more statements, and never throws', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        'select 1',
        'drop table t',
        'delete from t where id=1',
        "'",
        '/*',
        '*/',
        '--',
        '\n',
        '$$',
        '#',
        '\\',
        '(',
      ),
      fc.string({ maxLength: 12 }),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join(' ')
        expect(riskRank(rateSql(`DROP TABLE t; ${text}`).level)).toBe(4)
        expect(riskRank(rateSql(text).level)).toBeGreaterThanOrEqual(0)
      }),
      { numRuns: 300 },
    )
  })

  it('answers quickly on long texts, which would stall a backtracking search', () => {
    for (const text of [
      '('.repeat(60_000),
      'delete from t where '.repeat(3000),
      `delete from t where ${'('.repeat(30_000)}1${')'.repeat(30_000)}`,
      `delete from t where ${'a=1 or '.repeat(9000)}1=1`,
      `select ${'/*'.repeat(30_000)}`,
      `select ${"'".repeat(60_000)}`,
      `update t set ${'x = (select 1), '.repeat(4000)}`,
    ]) {
      expect(rateSql(text).level).toBeTypeOf('string')
    }
    expect(rateSql('x'.repeat(70_000))).toMatchObject({ level: 'high', rule: 'sql.long' })
  })
})
