/** Bundles the command with rolldown into `packages/cli/dist`, optimized for a fast start. */
import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type RolldownOutput } from 'rolldown'
import { asciiOnly } from './ascii-only.ts'
import { checkStart } from './check-start.ts'
import { GROUPS } from './chunk-groups.ts'
import { ABSENT_DRIVERS, driverModules } from './driver-modules.ts'
import { LAZY_MODULES, lazyEntries, lazyModules } from './lazy-modules.ts'
import { nodeBuiltins } from './node-builtins.ts'

const root = join(import.meta.dirname, '../..')

/** Differs between builds from different sources or dependencies. */
function buildId(): string {
  const sources = globSync('packages/*/src/**', { cwd: root, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.includes('.test.'))
    .map((entry) => join(entry.parentPath, entry.name))
  const id = createHash('sha256')
  for (const path of [...sources.sort(), join(root, 'package-lock.json')])
    id.update(`${relative(root, path)}\0`).update(createHash('sha256').update(readFileSync(path)).digest())
  return id.digest('hex').slice(0, 32)
}

/** Writes the bundle and returns its files. Throws at the first warning. */
export async function bundleCommand(): Promise<RolldownOutput['output']> {
  const { output } = await build({
    cwd: root,
    input: {
      main: 'packages/cli/src/main.ts',
      // Runs at every tool call of a coding agent.
      hook: 'packages/cli/src/hook/hook-main.ts',
      ...lazyEntries(LAZY_MODULES),
      // The worker threads for highlighting and for searching by expressions are started by file.
      'highlight-worker': 'packages/terminal/src/highlight/highlight-worker.ts',
      'search-worker': 'packages/agent/src/tools/search/search-worker.ts',
    },
    platform: 'node',
    // Directly from the sources of every package, so that the command is one self-contained folder.
    resolve: {
      conditionNames: ['countersign-source', 'node', 'import', 'default'],
      // Its main file requires its parts in a way that bundlers cannot follow.
      alias: {
        'jsonc-parser': join(root, 'node_modules/jsonc-parser/lib/esm/main.js'),
        ...driverModules(root),
      },
    },
    external: [/^node:/, ABSENT_DRIVERS],
    // Groups that leave their dependencies to others need it. Nobody outside of the bundle imports its files.
    preserveEntrySignatures: 'allow-extension',
    // React and Ink without their development parts, which would be looked up outside of the bundle.
    transform: { define: { 'process.env.NODE_ENV': '"production"', COUNTERSIGN_BUILD: JSON.stringify(buildId()) } },
    plugins: [
      lazyModules(root, LAZY_MODULES),
      nodeBuiltins(),
      asciiOnly(),
      {
        // Messages of schemas are ours, or English. Zod has them in fifty languages.
        name: 'english-schemas',
        resolveId: (id, importer) =>
          id === '../locales/index.js' && importer?.includes('/node_modules/zod/')
            ? join(importer, '../../locales/en.js')
            : null,
      },
      {
        name: 'without-devtools',
        resolveId: (id) => (id === 'react-devtools-core' ? `\0${id}` : null),
        load: (id) => (id === '\0react-devtools-core' ? 'export default {}' : null),
      },
    ],
    onLog: (level, log) => {
      if (level === 'warn') throw new Error(`can't bundle: ${log.message}`)
    },
    output: {
      dir: 'packages/cli/dist',
      cleanDir: true,
      format: 'esm',
      // Keeps names, so that stack traces are readable.
      minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
      entryFileNames: '[name].js',
      chunkFileNames: '[name]-[hash].js',
      codeSplitting: { groups: GROUPS },
    },
  })
  for (const chunk of output) {
    const required = chunk.type === 'chunk' ? /\brequire\d*\((['"])\.{1,2}\/[^'"]*\1\)/.exec(chunk.code) : null
    if (required !== null)
      throw new Error(`can't bundle: ${chunk.fileName} requires a file outside of it: ${required[0]}`)
  }
  checkStart(output)
  return output
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await bundleCommand()
