import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ROOT } from './pages.ts'

const DECLARED = '(?:interface|type|const|class|(?:async )?function)'

/** Every name an index hands out, with the file that declares it. */
function symbolsOf(index: string): readonly { readonly name: string; readonly file: string }[] {
  const text = readFileSync(join(ROOT, index), 'utf8')
  return [...text.matchAll(/^export (?:type )?(?:\{([^}]*)\}|\*) from '([^']+)'/gm)].flatMap(([, names, from = '']) => {
    const file = join(dirname(index), from)
    return (names === undefined ? namesIn(file) : listed(names)).map((name) => ({ name, file }))
  })
}

function listed(names: string): readonly string[] {
  return names.split(',').map((name) => name.trim().replace(/^type /, '')).filter((name) => name !== '')
}

function namesIn(file: string): readonly string[] {
  return [...readFileSync(join(ROOT, file), 'utf8').matchAll(new RegExp(`^export ${DECLARED} (\\w+)`, 'gm'))].map(([, name = '']) => name)
}

describe.each(['packages/core/src/index.ts', 'packages/node/src/index.ts'])('every symbol of %s', (index) => {
  const symbols = symbolsOf(index)

  it('has a doc comment where it is declared', () => {
    const bare = symbols.filter(({ name, file }) => !new RegExp(`\\*/\\nexport ${DECLARED} ${name}\\b`).test(readFileSync(join(ROOT, file), 'utf8')))
    expect({ found: symbols.length > 10, bare }).toEqual({ found: true, bare: [] })
  })
})
