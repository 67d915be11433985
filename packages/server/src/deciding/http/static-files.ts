import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join, sep } from 'node:path'
import type { MiddlewareHandler } from 'hono'

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
}

const ABSENT = 'The inbox is not built into this installation. `countersign held`, `approve` and `reject` still work.\n'

/**
 * Serves the inbox's files and nothing else. A page's own path (no file's) gets the page. SECURITY: A16 they are read once,
 * at start: no path can lead out of the folder, and what is changed on disk later is not served.
 */
export function inboxFiles(folder: string | undefined): MiddlewareHandler {
  const files: Files = folder === undefined || !existsSync(folder) ? new Map() : readAll(folder)
  return async (c, next) => {
    if (c.req.method !== 'GET' && c.req.method !== 'HEAD') return next()
    if (c.req.path.startsWith('/api/')) return next()
    const file = files.get(c.req.path) ?? (extname(c.req.path) === '' ? files.get('/index.html') : undefined)
    if (file === undefined) return files.size === 0 && extname(c.req.path) === '' ? c.text(ABSENT) : next()
    const lasting = c.req.path.startsWith('/assets/')
    return c.body(file.bytes, 200, {
      'Content-Type': file.type,
      'Cache-Control': lasting ? 'public, max-age=31536000, immutable' : 'no-cache',
    })
  }
}

interface InboxFile {
  readonly type: string
  readonly bytes: Uint8Array<ArrayBuffer>
}

type Files = ReadonlyMap<string, InboxFile>

function readAll(folder: string): Files {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return new Map(
    entries.map((entry) => {
      const path = join(entry.parentPath, entry.name)
      const type = TYPES[extname(path)] ?? 'application/octet-stream'
      return [path.slice(folder.length).split(sep).join('/'), { type, bytes: new Uint8Array(readFileSync(path)) }]
    }),
  )
}
