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
 * Serves the inbox's files and nothing else: they are listed once, so that no path can lead out of the folder. A page's
 * own address (no file's) gets the page.
 */
export function inboxFiles(folder: string | undefined): MiddlewareHandler {
  const files = folder === undefined || !existsSync(folder) ? new Map<string, string>() : listed(folder)
  return async (c, next) => {
    if (c.req.method !== 'GET' && c.req.method !== 'HEAD') return next()
    if (c.req.path.startsWith('/api/')) return next()
    const path = files.get(c.req.path) ?? (extname(c.req.path) === '' ? files.get('/index.html') : undefined)
    if (path === undefined) return files.size === 0 && extname(c.req.path) === '' ? c.text(ABSENT) : next()
    const lasting = c.req.path.startsWith('/assets/')
    return c.body(new Uint8Array(readFileSync(path)), 200, {
      'Content-Type': TYPES[extname(path)] ?? 'application/octet-stream',
      'Cache-Control': lasting ? 'public, max-age=31536000, immutable' : 'no-cache',
    })
  }
}

function listed(folder: string): ReadonlyMap<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return new Map(
    entries.map((entry) => {
      const path = join(entry.parentPath, entry.name)
      return [path.slice(folder.length).split(sep).join('/'), path]
    }),
  )
}
