import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { openApiDocument } from '@countersign/server'

/** Writes `packages/server/openapi.json`: `node --conditions=countersign-source scripts/generate-openapi.ts`. */

const MANIFEST = new URL('../packages/server/package.json', import.meta.url)

/** The expected file. */
export function openApiFile(): string {
  const { version } = JSON.parse(readFileSync(MANIFEST, 'utf8')) as { readonly version: string }
  return `${JSON.stringify(openApiDocument(version), null, 2)}\n`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(new URL('../packages/server/openapi.json', import.meta.url), openApiFile())
}
