import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { blocksIn, ROOT } from './pages.ts'

const DECLARED = '(?:interface|type|const|class|(?:async )?function)'

/** Every exported name of an index, with the file that declares it. */
function symbolsOf(index: string): readonly { readonly name: string; readonly file: string }[] {
  const text = readFileSync(join(ROOT, index), 'utf8')
  return [...text.matchAll(/^export (?:type )?(?:\{([^}]*)\}|\*) from '([^']+)'/gm)].flatMap(([, names, from = '']) => {
    const file = join(dirname(index), from)
    return (names === undefined ? namesIn(file) : listed(names)).map((name) => ({ name, file }))
  })
}

function listed(names: string): readonly string[] {
  return names
    .split(',')
    .map((name) => name.trim().replace(/^type /, ''))
    .filter((name) => name !== '')
}

function namesIn(file: string): readonly string[] {
  return [...readFileSync(join(ROOT, file), 'utf8').matchAll(new RegExp(`^export ${DECLARED} (\\w+)`, 'gm'))].map(
    ([, name = '']) => name,
  )
}

describe.each(['packages/core/src/index.ts', 'packages/node/src/index.ts', 'packages/postgres/src/index.ts'])(
  'every symbol of %s',
  (index) => {
    const symbols = symbolsOf(index)

    it('has a doc comment at its declaration', () => {
      const bare = symbols.filter(
        ({ name, file }) =>
          !new RegExp(`\\*/\\nexport ${DECLARED} ${name}\\b`).test(readFileSync(join(ROOT, file), 'utf8')),
      )
      expect({ found: symbols.length > 10, bare }).toEqual({ found: true, bare: [] })
    })
  },
)

/** Examples in doc comments, formatted as in a page. */
const examples = readdirSync(join(ROOT, 'packages'), { recursive: true, encoding: 'utf8' })
  .filter((path) => /^\w+\/src\/.*\.ts$/.test(path) && !path.endsWith('.test.ts'))
  .flatMap((path) =>
    [...readFileSync(join(ROOT, 'packages', path), 'utf8').matchAll(/^ *\* ```ts\n(.*?)^ *\* ```$/gms)].map(
      ([, text = '']) => ({
        path,
        lines: text
          .trimEnd()
          .split('\n')
          .map((line) => line.replace(/^ *\* ?/, '').trim()),
      }),
    ),
  )

describe('examples in doc comments', () => {
  const run = blocksIn('ts').map(({ text }) => `\n${text.replace(/^ +/gm, '')}`)

  it('exist', () => {
    expect(examples.length).toBeGreaterThan(2)
  })

  it.each(examples)('of $path appear on a page, whose programs are run', ({ lines }) => {
    expect(run.some((text) => text.includes(`\n${lines.join('\n')}`))).toBe(true)
  })
})
