import type { DecidingParts } from './api/route-dependencies.ts'
import { createApi, documentOf } from './app.ts'

/** The document of the API as it is committed and served. No service is needed: the routes are only read. */
export function openApiDocument(version: string): object {
  const unused = new Proxy({}, { get: () => unused, apply: () => unused }) as never
  const parts = { main: { ports: unused, desk: unused, gate: unused } } as unknown as DecidingParts
  return documentOf(createApi(parts), version)
}
