import { wordSet } from '../../arguments/word-set.ts'
import type { RiskLevel } from '../../report/level.ts'

/** Statements that look, or steer the session and no more. */
export const SQL_READS = wordSet(
  'select show describe desc values table use help begin start commit rollback end savepoint release abort print ' +
    'declare fetch close open listen unlisten deallocate discard list whenever go parse',
)

/** Statements with one level whatever they are given. Those of more than one level are in `rate-statement.ts`. */
export const SQL_VERBS: ReadonlyMap<string, readonly [level: RiskLevel, text: string]> = new Map(
  Object.entries({
    analyze: ['low', 'gathers statistics'],
    analyse: ['low', 'gathers statistics'],
    check: ['low', 'checks tables'],
    checksum: ['low', 'checks tables'],
    notify: ['low', 'notifies listeners'],
    checkpoint: ['medium', 'writes a checkpoint'],
    optimize: ['medium', 'rebuilds tables'],
    repair: ['high', 'repairs tables in place'],
    refresh: ['medium', 'refreshes a materialized view'],
    comment: ['medium', 'changes a comment'],
    flush: ['medium', 'flushes caches or logs'],
    backup: ['medium', 'writes a backup'],
    detach: ['medium', 'detaches a database'],
    lock: ['high', 'locks tables for others'],
    unlock: ['low', 'unlocks tables'],
    reindex: ['high', 'rebuilds indexes and locks them'],
    cluster: ['high', 'rewrites a table and locks it'],
    attach: ['high', 'opens another database file'],
    load: ['high', 'loads a file or an extension into the database'],
    import: ['high', 'loads a file into the database'],
    install: ['high', 'installs an extension'],
    grant: ['high', 'gives permissions'],
    revoke: ['high', 'takes permissions away'],
    deny: ['high', 'takes permissions away'],
    reassign: ['high', 'changes owners'],
    security: ['high', 'changes security labels'],
    kill: ['high', 'ends other sessions'],
    purge: ['high', 'deletes logs or dropped data'],
    rename: ['high', 'renames tables'],
    merge: ['high', 'changes rows'],
    call: ['high', 'runs a procedure, which may do anything'],
    do: ['high', 'runs code in the database'],
    exec: ['high', 'runs a procedure, which may do anything'],
    execute: ['high', 'runs a procedure or a prepared statement'],
    handler: ['medium', 'reads a table directly'],
    shutdown: ['critical', 'stops the database server'],
    restart: ['critical', 'restarts the database server'],
    restore: ['critical', 'overwrites a database from a backup'],
    reset: ['low', 'resets a setting of the session'],
    system: ['high', 'runs a program'],
    source: ['high', 'runs SQL from a file'],
  }),
)

/** Functions and procedures that reach files, programs, other servers or other sessions. */
export const POWERFUL = wordSet(
  'pg_read_file pg_read_binary_file pg_ls_dir pg_stat_file pg_file_write lo_import lo_export lo_put load_file load_extension ' +
    'xp_cmdshell sp_oacreate sp_oamethod sp_configure sp_executesql sys_exec sys_eval openrowset opendatasource openquery utl_http ' +
    'utl_file utl_smtp utl_tcp dbms_scheduler dbms_java dbms_xmlquery httpuritype dblink dblink_exec dblink_connect ' +
    'dblink_send_query pg_terminate_backend pg_reload_conf pg_rotate_logfile pg_switch_wal pg_promote ' +
    'pg_drop_replication_slot pg_execute_server_program query_to_xml writefile readfile fts3_tokenizer sp_addlogin ' +
    'sp_addsrvrolemember sp_addrolemember sp_dropuser set_config pg_create_restore_point',
)

/** Procedures of SQL Server that only look. */
export const READING_PROCEDURES = wordSet(
  'sp_help sp_helptext sp_helpindex sp_helpdb sp_columns sp_tables sp_who sp_who2 sp_databases sp_spaceused sp_lock ' +
    'sp_stored_procedures sp_pkeys sp_fkeys sp_depends sp_statistics',
)

/** Tables and views that hold the passwords of the database itself. */
export const PASSWORD_TABLES = wordSet('pg_shadow pg_authid pg_user_mapping sql_logins sysusers syslogins dba_users')

/** Columns that hold secrets of people or programs. */
export const SECRET_COLUMNS = wordSet(
  'password passwd pwd password_hash passwordhash secret secret_key api_key apikey access_token refresh_token ' +
    'auth_token private_key ssn social_security_number credit_card card_number cvv encrypted_password',
)
