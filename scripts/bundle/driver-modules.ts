import { join } from 'node:path'

/** Modules that the database driver asks for only if told to. */
export const ABSENT_DRIVERS = /^pg-(native|cloudflare)$/

/** What the database driver requires as functions, which the variants for `import` are not. */
export function driverModules(root: string): Readonly<Record<string, string>> {
  return {
    'pg-connection-string': join(root, 'node_modules/pg-connection-string/index.js'),
    'pg-pool': join(root, 'node_modules/pg-pool/index.js'),
    'pg-protocol': join(root, 'node_modules/pg-protocol/dist/index.js'),
  }
}
