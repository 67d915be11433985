// Checks a table of commands against their levels. The extension keeps it out of the build.
import { expect, it } from 'vitest'
import { rateShell } from '../fixture.mts'
import type { RiskLevel } from '../report/level.ts'

/** Commands of one level, one per line. */
export function eachIsRated(level: RiskLevel, commands: string): void {
  it.each(
    commands
      .trim()
      .split('\n')
      .map((line) => line.trim()),
  )(`rates \`%s\` ${level}`, (command) => {
    const { level: rated, reasons } = rateShell(command)
    expect(rated, JSON.stringify(reasons)).toBe(level)
  })
}
