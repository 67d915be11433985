import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rateShell } from '../../fixture.mts'
import { CLOUD } from './cloud.ts'
import { CONTAINERS } from './containers.ts'
import { DATABASES } from './databases.ts'
import { KUBERNETES } from './kubernetes.ts'
import { NETWORK } from './network.ts'
import { SYSTEM } from './system.ts'

const NAMES = [CLOUD, CONTAINERS, DATABASES, KUBERNETES, NETWORK, SYSTEM].flat().flatMap(([names]) => names.split(' '))
/** Built at run time, so that no scanner takes it for one. */
const SECRET = ['hunter', '2', 'x'.repeat(9)].join('')
const WORD = fc
  .constantFrom(
    'get list delete login auth set secrets run exec rm apply -n prod --all -f --force - -- -x --name web a=b s3 db up'.split(
      ' ',
    ),
  )
  .chain((words) => fc.constantFrom(...words))
const COVERED = fc.constantFrom(`--token=${SECRET}`, `TOKEN=${SECRET}`, `postgres://app:${SECRET}@localhost/app`)

describe('programs for services and the machine', () => {
  it('stands in one family each', () => {
    expect(NAMES.filter((name, at) => NAMES.indexOf(name) !== at)).toEqual([])
  })

  it('rates any words without failing, in a short sentence that gives no secret away', () => {
    fc.assert(
      fc.property(fc.constantFrom(...NAMES), fc.array(WORD, { maxLength: 5 }), COVERED, (name, words, secret) => {
        const report = rateShell(`${name} ${words.join(' ')} ${secret}`)
        for (const { text } of report.reasons) expect(text.length).toBeLessThan(240)
        // Paths and unknown programs are shown as they are written; others say what they are.
        const isPath = report.paths.some(({ given }) => given === report.target)
        const own = report.reasons.filter(({ rule }) => !rule.startsWith('path.') && rule !== 'plain.unknown')
        const told = JSON.stringify([own, isPath ? null : report.target])
        expect(told).not.toContain(SECRET)
      }),
      { numRuns: 1000 },
    )
  })

  it('covers what stands behind an option for secrets', () => {
    for (const name of ['heroku', 'vault', 'argocd', 'flux', 'rclone', 'twilio', 'docker'])
      expect(rateShell(`${name} frob --password ${SECRET}`).target).not.toBe(SECRET)
    expect(rateShell(`ngrok authtoken ${SECRET}`).target).toBeNull()
  })
})
