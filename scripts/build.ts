/** Compiles the knowledge tables and the presets, then builds the libraries with `tsc -b`, the command with rolldown and the inbox with Vite. Silent unless something is wrong. */
import { spawnSync } from 'node:child_process'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'rolldown'
import { build as buildPage } from 'vite'
import { type LazyModules, lazyEntries, lazyModules } from './bundle/lazy-modules.ts'
import { nodeBuiltins } from './bundle/node-builtins.ts'
import { writeKnowledge } from './compile-knowledge.ts'
import { writePresets } from './compile-presets.ts'

const root = join(import.meta.dirname, '..')

writeKnowledge()
await writePresets()

const compiled = process.argv.includes('--bundle')
  ? { status: 0 }
  : spawnSync(
      process.execPath,
      [
        join(root, 'node_modules/typescript/bin/tsc'),
        '-b',
        'packages/core',
        'packages/node',
        'packages/server',
        'packages/agent',
        'packages/terminal',
        'packages/mcp',
        'packages/cli',
        'packages/react',
        'packages/web',
      ],
      { cwd: root, stdio: 'inherit' },
    )
if (compiled.status !== 0) process.exit(compiled.status ?? 1)

/** What only some starts need: the policy parser with its YAML reader and schemas, and the regular expressions. */
const LAZY: LazyModules = {
  'packages/core/src/policy/parse/policy-file.ts': ['loadPolicyFile'],
  'packages/core/src/policy/parse/yaml-tree.ts': ['readYaml'],
  'packages/core/src/policy/schema/grant-pattern.ts': ['parseGrantPattern'],
  'packages/core/src/policy/schema/regular-expression.ts': ['compileExpression'],
}

const GROUPS = [
  { name: 'start', priority: 3, test: /node_modules\/commander\/|packages\/cli\/src\/[^/]+\.ts$|packages\/cli\/src\/terminal\/(?!layout|load-screen|typed|hidden|screen|json)|packages\/cli\/src\/arguments\/help|packages\/core\/src\/(errors|display\/(escape|safe-text))/ },
  { name: 'risk', priority: 2, test: /node_modules\/unbash\/|packages\/core\/src\/(display|call|command|risk|intent|knowledge|secrets|ports)\// },
  { name: 'gate', priority: 1, test: /packages\/core\/src\/(?!policy\/(schema|parse|authoring))|packages\/node\/src\/(?!checkers\/)|packages\/terminal\/src\/(card|text|prompt)\// },
]

const { output } = await build({
  cwd: root,
  // The threads that colour code and search by an expression are started by their files.
  input: {
    main: 'packages/cli/src/main.ts',
    ...lazyEntries(LAZY),
    'highlight-worker': 'packages/terminal/src/highlight/highlight-worker.ts',
    'search-worker': 'packages/agent/src/tools/search/search-worker.ts',
  },
  platform: 'node',
  // Straight from the sources of every package, so that the command is one self-contained folder.
  resolve: {
    conditionNames: ['countersign-source', 'node', 'import', 'default'],
    // Its main file asks for its parts in a way that no bundle can follow.
    alias: { 'jsonc-parser': join(root, 'node_modules/jsonc-parser/lib/esm/main.js') },
  },
  external: /^node:/,
  // Only what people run of React and Ink, without their parts for developers: those would be looked for outside.
  transform: { define: { 'process.env.NODE_ENV': '"production"' } },
  plugins: [
    lazyModules(root, LAZY),
    nodeBuiltins(),
    {
      name: 'without-devtools',
      resolveId: (id) => (id === 'react-devtools-core' ? `\0${id}` : null),
      load: (id) => (id === '\0react-devtools-core' ? 'export default {}' : null),
    },
  ],
  onLog: (level, log) => {
    if (level === 'warn') throw new Error(`the bundle is refused: ${log.message}`)
  },
  output: {
    dir: 'packages/cli/dist',
    cleanDir: true,
    format: 'esm',
    entryFileNames: '[name].js',
    codeSplitting: { groups: GROUPS },
    // One file per subcommand, loaded when it is used.
    chunkFileNames: '[name]-[hash].js',
  },
})

for (const chunk of output) {
  const asked = chunk.type === 'chunk' ? /\brequire\d*\((['"])\.{1,2}\/[^'"]*\1\)/.exec(chunk.code) : null
  if (asked !== null)
    throw new Error(`the bundle is refused: ${chunk.fileName} asks for a file outside of it: ${asked[0]}`)
}

await buildPage({ configFile: join(root, 'packages/web/vite.config.ts'), logLevel: 'warn' })

// The inbox goes with the command that serves it.
cpSync(join(root, 'packages/web/dist'), join(root, 'packages/cli/dist/inbox'), { recursive: true })
// … and so does the script of its demonstration.
cpSync(join(root, 'packages/cli/src/demo/demo.yaml'), join(root, 'packages/cli/dist/demo.yaml'))
