import { describe, expect, it } from 'vitest'
import { decompose } from '../../command/decompose.ts'
import { arityOf, isDry, lastValue, readArgs } from './argument-parser.ts'

const read = (command: string, program: string, valued = '') => {
  const [part] = decompose(command).parts
  if (part === undefined) throw new Error('no part')
  return readArgs(part, arityOf(program, new Set(valued.split(' '))))
}

describe('parsing arguments', () => {
  it.each([
    ['kubectl -n prod delete pod x', 'delete pod x'],
    ['kubectl -nprod delete pod x', 'delete pod x'],
    ['kubectl --namespace=prod delete pod x', 'delete pod x'],
    ['kubectl delete -n prod pod x', 'delete pod x'],
    ['kubectl delete pod -- -x', 'delete pod -x'],
  ])('finds the words of `%s`', (command, words) => {
    expect(read(command, 'kubectl').words.map(({ value }) => value)).toEqual(words.split(' '))
  })

  it('returns the last value of an option', () => {
    expect(lastValue(read('kubectl -n a get pods -n b', 'kubectl'), new Set(['-n']))).toBe('b')
  })

  it('records the position of an unlisted option', () => {
    expect(read('kubectl --novel get', 'kubectl').doubt).toBe(0)
    expect(read('kubectl get pods', 'kubectl').doubt).toBe(2)
  })

  it.each([
    ['kubectl apply -f x --dry-run=client', true],
    ['kubectl apply -f "$x" --dry-run=server', true],
    ['kubectl apply -f x --dry-run', true],
    ['kubectl apply -f x --dry-run=none', false],
    ['kubectl apply -f x --dry-run=client --dry-run=none', false],
    ['kubectl apply -f x $FLAGS --dry-run=client', false],
    ['kubectl exec pod -- apply --dry-run=client', false],
  ])('detects whether `%s` is a dry run: %s', (command, dry) => {
    expect(isDry(read(command, 'kubectl', '-f'), new Set())).toBe(dry)
  })
})
