import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { programNames } from '../../knowledge/programs.ts'
import { rateShell } from '../fixture.mts'
import { eachIsRated } from './level-rows.mts'

const NAMES = programNames()
/** Built at run time, so that secret scanners ignore it. */
const SECRET = ['hunter', '2', 'x'.repeat(9)].join('')
const WORD = fc
  .constantFrom(
    'get list delete login auth set secrets run exec rm apply -n prod --all -f --force - -- -x --name web a=b s3 db up'.split(
      ' ',
    ),
  )
  .chain((words) => fc.constantFrom(...words))
const COVERED = fc.constantFrom(`--token=${SECRET}`, `TOKEN=${SECRET}`, `postgres://app:${SECRET}@localhost/app`)

describe('every program with a row', () => {
  it('is rated with any arguments without failing, in a short sentence without secrets', () => {
    fc.assert(
      fc.property(fc.constantFrom(...NAMES), fc.array(WORD, { maxLength: 5 }), COVERED, (name, words, secret) => {
        const report = rateShell(`${name} ${words.join(' ')} ${secret}`)
        for (const { text } of report.reasons) expect(text.length).toBeLessThan(240)
        // Paths and unknown programs are shown as written.
        const isPath = report.paths.some(({ given }) => given === report.target)
        const own = report.reasons.filter(({ rule }) => !rule.startsWith('path.') && rule !== 'plain.unknown')
        const told = JSON.stringify([own, isPath ? null : report.target])
        expect(told).not.toContain(SECRET)
      }),
      { numRuns: 1000 },
    )
  })

  it('hides the value of a secret option', () => {
    for (const name of ['heroku', 'vault', 'argocd', 'flux', 'rclone', 'twilio', 'docker'])
      expect(rateShell(`${name} frob --password ${SECRET}`).target).not.toBe(SECRET)
    expect(rateShell(`ngrok authtoken ${SECRET}`).target).toBeNull()
  })
})

describe('small programs', () => {
  eachIsRated(
    'none',
    `shasum -a 256 a.tgz
    iconv -f latin1 -t utf8 a.txt
    xxd image.png
    exiftool img.jpg
    otool -L app
    htop
    set -euo pipefail
    man git-push
    less +/error app.log`,
  )
  eachIsRated('low', 'mktemp -d\nctags -R src\nfzf\ngcc-12 -c a.c')
  eachIsRated('medium', 'ffmpeg -i a.mp4 b.webm\npandoc a.md -o a.pdf\nunknowntool --flag')
  eachIsRated('high', "unset HISTFILE\nless '+!id' a\nman -P ./x ls\nctags --options=./x -R")
})
