import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { COMMAND_ENV } from '@countersign/testing/command/command'
import { endOf } from '@countersign/testing/command/spawn-cli'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it } from 'vitest'

const ENTRY = fileURLToPath(new URL('../../packages/cli/src/entry.ts', import.meta.url))

/** Prints the name of each loaded package to stderr, one per line. */
const HOOK = `import { registerHooks } from 'node:module'
registerHooks({
  load(url, context, next) {
    const name = /node_modules\\/((?:@[^/]+\\/)?[^/]+)\\//.exec(url)?.[1]
    if (name !== undefined) process.stderr.write('loaded ' + name + '\\n')
    return next(url, context)
  },
})
`

/** Packages for drawing, and for talking to models and servers. */
const HEAVY = ['ink', 'react', 'react-reconciler', 'yoga-layout', 'shiki', 'ai', 'hono']

describe('a subcommand without a screen', () => {
  it.each([
    ['--help', ['--help']],
    ['held', ['held', '--json']],
    ['exec', ['exec', '--', 'true']],
    ['chat --help', ['chat', '--help']],
    ['run', ['run', 'task.yaml', '--script', 'script.yaml']],
    ['demo --answers', ['demo', '--answers', 'reject']],
    ['watch without a terminal', ['watch']],
  ])('%s loads neither Ink nor React', async (_, argv) => {
    const folder = temporaryFolder()
    const hook = join(folder, 'hook.mjs')
    writeFileSync(hook, HOOK)
    writeFileSync(join(folder, 'task.yaml'), 'version: 1\ntask: look\n')
    writeFileSync(join(folder, 'script.yaml'), 'version: 1\nturns:\n  - text: done\n')
    const flags = ['--conditions=countersign-source', '--no-warnings', '--import', hook, ENTRY]
    const home = argv.includes('--help') ? [] : ['--home', folder]
    const child = spawn(process.execPath, [...flags, ...home, ...argv], {
      cwd: folder,
      env: COMMAND_ENV,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const { stderr } = await endOf(child)
    const loaded = new Set(Array.from(stderr.matchAll(/^loaded (.+)$/gm), ([, name = '']) => name))
    expect(loaded).toContain('commander')
    expect(HEAVY.filter((name) => loaded.has(name))).toEqual([])
  })
})
