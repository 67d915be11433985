/** Builds the libraries with `tsc -b`, the command with rolldown and the inbox with Vite. Silent unless something is wrong. */
import { spawnSync } from 'node:child_process'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'rolldown'
import { build as buildPage } from 'vite'

const root = join(import.meta.dirname, '..')

const compiled = spawnSync(
  process.execPath,
  [
    join(root, 'node_modules/typescript/bin/tsc'),
    '-b',
    'packages/core',
    'packages/node',
    'packages/server',
    'packages/cli',
    'packages/react',
    'packages/web',
  ],
  { cwd: root, stdio: 'inherit' },
)
if (compiled.status !== 0) process.exit(compiled.status ?? 1)

await build({
  cwd: root,
  input: { main: 'packages/cli/src/main.ts' },
  platform: 'node',
  // Straight from the sources of every package, so that the command is one self-contained folder.
  resolve: { conditionNames: ['source', 'node', 'import', 'default'] },
  external: /^node:/,
  onLog: (level, log) => {
    if (level === 'warn') throw new Error(`the bundle is refused: ${log.message}`)
  },
  output: {
    dir: 'packages/cli/dist',
    cleanDir: true,
    format: 'esm',
    entryFileNames: '[name].js',
    // One file per subcommand, loaded when it is used.
    chunkFileNames: '[name]-[hash].js',
  },
})

await buildPage({ configFile: join(root, 'packages/web/vite.config.ts'), logLevel: 'warn' })

// The inbox goes with the command that serves it.
cpSync(join(root, 'packages/web/dist'), join(root, 'packages/cli/dist/inbox'), { recursive: true })
