import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rateShell } from '../fixture.mts'
import { riskRank } from '../report/level.ts'
import { RISKY_MACHINE } from './risky-machine-rows.mts'
import { RISKY_PROJECT } from './risky-project-rows.mts'

const RISKY = { ...RISKY_PROJECT, ...RISKY_MACHINE }
const ALL = Object.values(RISKY).flat()
const COMPLETE = ALL.map(([command]) => command).filter((command) => !/unclosed|then$/.test(command))
const JOINTS = [' && ', '; ', ' || ', '\n', ' | ', ' & ']

describe('a risky command', () => {
  it.each(
    Object.entries(RISKY).flatMap(([family, rows]) =>
      rows.map(([command, least, most]) => ({ family, command, least, most })),
    ),
  )('in the family $family: $command is at least $least', ({ command, least, most }) => {
    const { level, reasons } = rateShell(command)
    const why = reasons.map((reason) => `${reason.level} ${reason.text}`)
    expect(riskRank(level), why.join('; ')).toBeGreaterThanOrEqual(riskRank(least))
    if (most !== undefined) expect(riskRank(level), why.join('; ')).toBeLessThanOrEqual(riskRank(most))
    expect(why).not.toEqual([])
  })

  it('stays as risky after, before and between harmless commands', () => {
    const joint = fc.constantFrom(...JOINTS)
    const harmless = fc.constantFrom('ls', 'git status', 'echo "rm -rf /"', 'npm test')
    fc.assert(
      fc.property(fc.constantFrom(...COMPLETE), harmless, harmless, joint, joint, (risky, before, after, one, two) => {
        const alone = riskRank(rateShell(risky).level)
        expect(riskRank(rateShell(`${before}${one}{ ${risky}\n}${two}${after}`).level)).toBeGreaterThanOrEqual(alone)
      }),
      { numRuns: 600 },
    )
  })

  it('is at least as risky as each of its parts', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...COMPLETE), { minLength: 1, maxLength: 4 }),
        fc.constantFrom(...JOINTS),
        (commands, joint) => {
          const report = rateShell(commands.join(joint))
          for (const part of report.parts) expect(riskRank(report.level)).toBeGreaterThanOrEqual(riskRank(part.level))
        },
      ),
      { numRuns: 300 },
    )
  })

  it.each(['sudo ', 'env ', 'nohup ', 'timeout 5 ', 'nice -n 5 ', 'command ', 'xargs ', 'time '])(
    'stays as risky behind %s',
    (wrapper) => {
      for (const command of ['rm -rf src', 'rm -rf ~', 'shutdown now', 'git push -f', 'mkfs.ext4 /dev/sda1']) {
        expect(riskRank(rateShell(wrapper + command).level), command).toBeGreaterThanOrEqual(
          riskRank(rateShell(command).level),
        )
      }
    },
  )

  it.each(["bash -c '#'", "sh -c '#'", "eval '#'", "ssh host '#'", "trap '#' EXIT", "su -c '#'", "watch '#'"])(
    'stays as risky inside %s',
    (shell) => {
      for (const command of ['rm -rf ~', 'shutdown now', 'git push -f', 'mkfs.ext4 /dev/sda1']) {
        expect(riskRank(rateShell(shell.replace('#', command)).level), command).toBeGreaterThanOrEqual(
          riskRank(rateShell(command).level),
        )
      }
    },
  )
})
