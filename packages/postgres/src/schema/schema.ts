/** The names of one tenant's tables. */
export type Table = (name: string) => string

/** Names a tenant's tables with their schema: the search path of a connection is never trusted. */
export function tablesOf(schema: string): Table {
  return (name) => `"${schema}"."${name}"`
}
