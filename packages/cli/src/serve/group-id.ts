import { readFileSync } from 'node:fs'
import { CountersignError, safeText } from '@countersign/core'

/** The number of a group, by its name in the system's table or as it is. */
export function groupId(name: string): number {
  if (/^\d{1,9}$/.test(name)) return Number(name)
  const line = readFileSync('/etc/group', 'utf8')
    .split('\n')
    .find((one) => one.startsWith(`${name}:`))
  const id = Number(line?.split(':')[2])
  if (line !== undefined && Number.isSafeInteger(id)) return id
  throw new CountersignError(
    'CS_USAGE',
    `there is no group \`${safeText(name)}\`; name one of /etc/group, or its number`,
  )
}
