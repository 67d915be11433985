/** Compiles the knowledge tables and presets, then builds the libraries with `tsc -b`, the command with rolldown and the inbox with Vite. Silent on success. */
import { spawnSync } from 'node:child_process'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { build as buildPage } from 'vite'
import { bundleCommand } from './bundle/bundle-command.ts'
import { writeKnowledge } from './compile-knowledge.ts'
import { writePresets } from './compile-presets.ts'
import { copyLicense, writeThirdPartyLicenses } from './package-files.ts'

const root = join(import.meta.dirname, '..')

writeKnowledge()
await writePresets()

const compiled = spawnSync(
  process.execPath,
  [
    join(root, 'node_modules/typescript/bin/tsc'),
    '-b',
    'packages/core',
    'packages/postgres',
    'packages/node',
    'packages/hosts',
    'packages/notify',
    'packages/telemetry',
    'packages/adapters',
    'packages/server',
    'packages/agent',
    'packages/terminal',
    'packages/mcp',
    'packages/cli',
    'packages/react',
    'packages/page',
    'packages/web',
  ],
  { cwd: root, stdio: 'inherit' },
)
if (compiled.status !== 0) process.exit(compiled.status ?? 1)

const output = await bundleCommand()
const page = await buildPage({ configFile: join(root, 'packages/web/vite.config.ts'), logLevel: 'warn' })

// The command includes the inbox that it serves …
cpSync(join(root, 'packages/web/dist'), join(root, 'packages/cli/dist/inbox'), { recursive: true })
// … and the script of its demo.
cpSync(join(root, 'packages/cli/src/demo/demo.yaml'), join(root, 'packages/cli/dist/demo.yaml'))

copyLicense(root)
const pageOutput = [page].flat().flatMap((result) => ('output' in result ? result.output : []))
const bundled = [...output, ...pageOutput].flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds : []))
writeThirdPartyLicenses(join(root, 'packages/cli/dist/third-party-licenses.txt'), bundled)
