import { describe, expect, it } from 'vitest'
import { decompose } from '../../command/decompose.ts'
import { frozen, PLACES } from '../fixture.mts'
import { rateRisk } from '../rate-risk.ts'
import { whyUnproven } from './unproven.ts'

function why(command: string): string | null {
  const call = frozen({ tool: 'bash', args: { command }, description: { kind: 'execute', command } })
  return whyUnproven(rateRisk(call, decompose(command), { places: PLACES, resolved: new Map() }))
}

describe('why nothing is proven about a command', () => {
  it.each<[string, string]>([
    ['ps aux', '`ps`: `aux`'],
    ['ps -ef', '`ps`: `-f`'],
    ['find . | xargs grep x', '`grep`, which `xargs` runs'],
    ['git fsck', '`git fsck`, whatever its words are'],
    ['ls; frobnicate --now', '`frobnicate`, which is not known'],
    ['sort --frob a.txt', '`sort`: `--frob` is not known'],
    ['"$x" a', 'a program whose name is computed'],
    ['cat $HOME/$x', '`cat`: a word is not known before it runs'],
  ])('names the word that stands in the way: %s', (command, text) => {
    expect(why(command)).toBe(text)
  })

  it('never shows a word that may hold a secret', () => {
    expect(why('ps https://ana:hunter2@example.com')).toBe('`ps`: a word')
    expect(why('ps token=hunter2')).toBe('`ps`: a word')
  })
})
