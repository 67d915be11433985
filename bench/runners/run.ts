import { createHash, hash } from 'node:crypto'
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { openTargets } from '@countersign/node'
import { decompose } from '../../packages/core/src/command/decompose.ts'
import { KnownResults } from '../../packages/core/src/runners/reading/known-results.ts'
import { seeThrough } from '../../packages/core/src/runners/see-through.ts'
import { interleave } from '../interleave.ts'
import { type BenchRow, type BenchTable, formatText } from '../table.ts'

const BARE = 'node:fs and node:crypto, the same files'
const FIRST = 'countersign, seeing through `npm test` for the first time'
const AGAIN = 'countersign, again with the same files'
const MOST = 2

/**
 * What `npm test` of a small project runs, in turns with reading and hashing the same files. Again means that every path is
 * resolved, read and hashed again, and only the analysis is known: the difference from the first time.
 */
export async function benchRunners({ quick = false }: { readonly quick?: boolean } = {}): Promise<BenchTable> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-bench-')))
  try {
    sampleProject(root)
    const places = { workspace: root, home: '/home/nobody' }
    const ports = {
      targets: openTargets(),
      crypto: { sha256: (data: string | Uint8Array) => hash('sha256', data, 'hex') },
      clock: { monotonic: () => performance.now() },
    }
    const command = decompose('npm test')
    const again = () => seeThrough(command, root, places, ports)
    const first = await again()
    const files = first?.seen.files.map(({ path }) => path) ?? []
    const opaque = first?.command.parts.flatMap(({ inside }) => inside?.opaque ?? []) ?? []
    if (files.length !== Object.keys(SAMPLE).length)
      throw new Error(`it read ${files.join(', ')} (${opaque.join(', ')})`)
    const measured = await interleave(
      [
        {
          name: BARE,
          run: (times) => {
            for (let at = 0; at < times; at += 1)
              for (const path of files) createHash('sha256').update(readFileSync(path)).digest('hex')
          },
        },
        {
          name: FIRST,
          run: async (times) => {
            for (let at = 0; at < times; at += 1) await seeThrough(command, root, places, ports, new KnownResults())
          },
        },
        {
          name: AGAIN,
          run: async (times) => {
            for (let at = 0; at < times; at += 1) await again()
          },
        },
      ],
      quick ? { reps: 3, turnMs: 20, warmMs: 50 } : { reps: 25, turnMs: 50, warmMs: 1_000 },
    )
    const seen = (name: string): BenchRow => {
      const ratio = measured.ratio(name, BARE)
      return {
        name,
        median: measured.median(name),
        unit: 'ns',
        ratio: `${ratio.toFixed(2)}× reading and hashing`,
        target: `≤ ${MOST}×`,
        ok: ratio <= MOST,
      }
    }
    return {
      title: 'Runners: seeing through `npm test`',
      rows: [{ name: BARE, median: measured.median(BARE), unit: 'ns' }, seen(FIRST), seen(AGAIN)],
      notes: [
        `A project with ${files.length} files that \`npm test\` loads, of ${Math.round(sizeOf(files) / files.length)} bytes on average.`,
        `Ours also looks for ${first?.seen.absent.length ?? 0} files that are absent, resolves each folder, and never opens anything but a plain file. This is what it costs again; the difference from the first time is the analysis of the code.`,
      ],
    }
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

const sizeOf = (files: readonly string[]) => files.reduce((sum, path) => sum + statSync(path).size, 0)

const CONFIGURATION = `import { defineConfig } from 'vitest/config'
import { aliases } from './build/aliases.ts'

export default defineConfig({
  resolve: { alias: aliases },
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    environment: 'node',
    restoreMocks: true,
    coverage: { provider: 'v8', reporter: ['text', 'lcov'], thresholds: { lines: 90, branches: 85 } },
  },
})
`

const SAMPLE: Readonly<Record<string, string>> = {
  'package.json': `${JSON.stringify(
    {
      name: 'sample',
      version: '1.2.3',
      type: 'module',
      scripts: {
        build: 'tsc -p .',
        lint: 'eslint .',
        pretest: 'sh scripts/check-versions.sh',
        test: 'vitest run --coverage',
        posttest: 'node scripts/report.js',
      },
      dependencies: Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`package-${at}`, `^${at}.0.0`])),
    },
    null,
    2,
  )}\n`,
  '.npmrc': 'save-exact=true\nfund=false\n',
  'node_modules/vitest/vitest.mjs': "#!/usr/bin/env node\nimport './dist/cli.js'\n",
  'vitest.config.ts': CONFIGURATION,
  'build/aliases.ts': "export const aliases = { '@': '/src', '~': '/test' }\n",
  'scripts/check-versions.sh': '#!/bin/sh\nset -eu\nnode --version\nnpm --version\necho "versions checked"\n',
  'scripts/report.js':
    "import { readFileSync } from 'node:fs'\n\nconst summary = JSON.parse(readFileSync('coverage/coverage-summary.json', 'utf8'))\nconsole.log(`lines: ${summary.total.lines.pct} %`)\n",
}

function sampleProject(root: string): void {
  for (const [name, text] of Object.entries(SAMPLE)) {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), text)
  }
  for (let at = 0; at < 40; at += 1) {
    mkdirSync(join(root, 'src', `feature-${at}`), { recursive: true })
    writeFileSync(join(root, 'src', `feature-${at}`, 'index.ts'), `export const feature = ${at}\n`)
  }
  mkdirSync(join(root, 'node_modules/.bin'))
  symlinkSync('../vitest/vitest.mjs', join(root, 'node_modules/.bin/vitest'))
}

if (import.meta.main) console.log(formatText(await benchRunners()))
