import { z } from 'zod'
import { table, WORD, wordDomain, words } from './word-domain.ts'

const STATEMENT = z.strictObject({ level: z.enum(['low', 'medium', 'high', 'critical']), effect: WORD })

/** Facts about query languages and HTTP. */
export const QUERIES = wordDomain(
  'queries',
  {
    sql: {
      ...words(
        'reads',
        'powerful_functions',
        'reading_procedures',
        'password_tables',
        'secret_columns',
        'psql_reads',
        'sqlite_reads',
        'objects',
        'servers',
      ),
      statements: table(STATEMENT, 'StatementRow'),
    },
    stores: { ...words('elasticsearch', 'mongodb_drops', 'mongodb_removals', 'mongodb_changes') },
    http: { ...words('request_tools', 'reading_methods', 'methods', 'people_hosts') },
  },
  ['StatementRow'],
)
