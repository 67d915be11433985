/** Lets Node read `.tsx`, whose types it can strip but whose elements it cannot read. Only the sources need it: the bundle has none. */
import { readFileSync } from 'node:fs'
import { createRequire, registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'

interface Compiler {
  transformSync(name: string, source: string, options: object): { readonly code: string }
}

const require = createRequire(import.meta.url)

registerHooks({
  load(url, context, next) {
    if (!url.endsWith('.tsx')) return next(url, context)
    const path = fileURLToPath(url)
    const compiler: Compiler = require('rolldown/utils')
    const { code } = compiler.transformSync(path, readFileSync(path, 'utf8'), {
      lang: 'tsx',
      jsx: { runtime: 'automatic' },
    })
    return { format: 'module', source: code, shortCircuit: true }
  },
})
