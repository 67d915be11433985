import { describe, expect, it } from 'vitest'
import { decompose } from '../../command/decompose.ts'
import type { ProgramRow } from '../../knowledge/programs.ts'
import { typedOptions } from './typed-options.ts'

const ROW: ProgramRow = {
  file: 'x.yaml',
  line: 1,
  flags: [{ flags: ['--delete'], level: 'high', effect: 'deletes', line: 2 }],
  options: {
    flag: ['-r', '--color'],
    value: ['-k', '--key', '--lines', '--log='],
    writes: ['-o', '--output', '--log-file'],
    runs: ['--pager', '--pre'],
  },
}

const read = (command: string) => {
  const [part] = decompose(command).parts
  if (part === undefined) throw new Error('no part')
  return typedOptions(part, ROW)
    .map(({ name, type, value }) => `${type} ${name}${value === null ? '' : ` ${value.value ?? '?'}`}`)
    .join(', ')
}

describe('options by type', () => {
  it.each([
    ['x -o f', 'writes -o f'],
    ['x -of', 'writes -o f'],
    ['x -ro f', 'flag -r, writes -o f'],
    ['x -vrof', 'flag -r, writes -o f'],
    ['x -ko f', 'value -k o'],
    ['x --output=f', 'writes --output f'],
    ['x --output f', 'writes --output f'],
    ['x --outp=f', 'writes --output f'],
    ['x --out f', 'writes --output f'],
    ['x --lo=f', 'writes --log-file f'],
    ['x --log=f', 'value --log f'],
    ['x --p f', 'runs --pager f'],
    ['x --del', 'flag --delete'],
    ['x --key -o f', 'value --key -o'],
    ['x --unknown -o f', 'writes -o f'],
    ['x -- -o f', ''],
    ['x f -o "$y"', 'writes -o ?'],
  ])('reads `%s` as `%s`', (command, options) => {
    expect(read(command)).toBe(options)
  })
})
