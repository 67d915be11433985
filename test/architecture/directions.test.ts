import { describe, expect, it } from 'vitest'
import { checkCycles } from '../../scripts/architecture/cycles.ts'
import { checkDirections } from '../../scripts/architecture/directions.ts'

const MANIFESTS = ['core', 'node', 'cli', 'terminal'].map((name) => ({
  path: `packages/${name}/package.json`,
  text: JSON.stringify({
    dependencies: name === 'cli' ? { commander: '1.0.0' } : { yaml: '1.0.0', lodash: '1.0.0' },
    exports: { '.': {}, ...(name === 'terminal' ? { './card': {} } : {}) },
  }),
}))

const offences = (path: string, text: string) =>
  checkDirections([...MANIFESTS, { path, text }]).map(({ line, message }) => `${line}: ${message}`)

describe('import directions (DESIGN §4)', () => {
  it.each([
    ['core/src/policy/x.ts', "import { a } from '../risk/a.ts'"],
    ['core/src/safety/x.ts', "import { a } from '../policy/a.ts'"],
    ['core/src/journal/x.ts', "import type { A } from '../secrets/a.ts'"],
    ['core/src/preview/x.ts', "import type { A } from '../risk/a.ts'"],
    ['core/src/ports/x.ts', "import { a } from '../errors.ts'"],
    ['core/src/gate.ts', "import { a } from './execute/a.ts'"],
    ['core/src/policy/x.ts', "import { parse } from 'yaml'"],
    ['core/src/policy/x.test.ts', "import { readFileSync } from 'node:fs'"],
    ['node/src/x.ts', "import { readFileSync } from 'node:fs'"],
    ['node/src/x.ts', "import { a } from '@countersign/core'"],
    ['cli/src/x/x.ts', "import { a } from '@countersign/terminal/card'"],
    ['cli/src/x/x.ts', "import { a } from '@countersign/node'\nimport { Command } from 'commander'"],
  ])('lets packages/%s contain `%s`', (path, text) => {
    expect(offences(`packages/${path}`, text)).toEqual([])
  })

  it.each([
    ['core/src/risk/x.ts', "import { a } from '../policy/a.ts'", 'risk may not import policy'],
    ['core/src/risk/x.ts', "import type { A } from '../policy/a.ts'", 'risk may not import types of policy'],
    ['core/src/journal/x.ts', "import { a } from '../approval/a.ts'", 'journal may not import approval'],
    ['core/src/journal/x.ts', "import type { A } from '../approval/a.ts'", 'journal may not import types of approval'],
    ['core/src/approval/x.ts', "import { a } from '../execute/a.ts'", 'approval may not import execute'],
    ['core/src/approval/x.ts', "import { a } from '../gate.ts'", 'approval may not import gate'],
    ['core/src/call/x.ts', "import { a } from 'node:fs'", 'core may not import `node:fs`; use a port'],
    ['core/src/call/x.ts', "import a from 'lodash'", 'core may not depend on `lodash`'],
    ['core/src/call/x.ts', "import { a } from '@countersign/node'", 'core may not import node'],
    ['node/src/x.ts', "import a from 'left-pad/x'", '`left-pad` is not in the package.json of node'],
    ['node/src/x.ts', "import { a } from '@countersign/cli'", 'node may not import cli'],
    [
      'node/src/x.ts',
      "await import('../../core/src/gate.ts')",
      '`../../core/src/gate.ts` leaves the package; import the other package by its name',
    ],
    [
      'cli/src/x.ts',
      "import { a } from '@countersign/core/dist/gate.js'",
      '`@countersign/core/dist/gate.js` reaches into a package; import `@countersign/core`',
    ],
  ])('does not let packages/%s contain `%s`', (path, text, message) => {
    expect(offences(`packages/${path}`, `\n${text}\n`)).toEqual([`2: ${message}`])
  })
})

describe('import cycles', () => {
  const file = (name: string, text: string) => ({ path: `packages/core/src/call/${name}.ts`, text })

  it('are found at run time, at any length', () => {
    const files = [
      file('a', "import './b.ts'"),
      file('b', "import { c } from './c.ts'"),
      file('c', "export * from './a.ts'"),
    ]
    expect(checkCycles(files)).toMatchObject([{ message: 'imports itself: a.ts → b.ts → c.ts → a.ts' }])
  })

  it.each(["import type { A } from './a.ts'", "const a = () => import('./a.ts')"])(
    'do not count if one import is `%s`',
    (back) => {
      expect(checkCycles([file('a', "import './b.ts'"), file('b', back)])).toEqual([])
    },
  )
})
