import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { build } from 'vite'

const ROOT = fileURLToPath(new URL('../../examples/react-dialog', import.meta.url))

/** The example with the approval dialog, built: text by name of file. */
export async function buildExample(): Promise<ReadonlyMap<string, string>> {
  const built = await build({
    root: ROOT,
    configFile: join(ROOT, 'vite.config.ts'),
    logLevel: 'silent',
    build: { write: false },
  })
  const [first] = Array.isArray(built) ? built : [built]
  const output = first !== undefined && 'output' in first ? first.output : []
  return new Map(output.map((file) => [file.fileName, String('code' in file ? file.code : file.source)]))
}

/** Answers for the example's files at an origin, and for nothing else there. */
export async function serveExample(page: Page, origin: string, files: ReadonlyMap<string, string>): Promise<void> {
  await page.route(`${origin}/**`, (route) => {
    const name = new URL(route.request().url()).pathname.slice(1) || 'index.html'
    const body = files.get(name)
    if (body === undefined) return route.continue()
    const contentType = name.endsWith('.js') ? 'text/javascript' : name.endsWith('.css') ? 'text/css' : 'text/html'
    return route.fulfill({ contentType, body })
  })
}
