/** Builds the libraries with `tsc -b` and bundles the command with rolldown. Silent unless something is wrong. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { build } from 'rolldown'

const root = join(import.meta.dirname, '..')

const compiled = spawnSync(
  process.execPath,
  [join(root, 'node_modules/typescript/bin/tsc'), '-b', 'packages/core', 'packages/node', 'packages/cli'],
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
