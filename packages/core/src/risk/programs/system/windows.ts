import type { CommandPart } from '../../../command/model/decomposition.ts'
import { finding, type Reversible, type RiskFinding } from '../../report/finding.ts'
import type { RiskLevel } from '../../report/level.ts'
import type { Assess } from '../assessor/assessor.ts'

/** The answer for arguments that match; the first match counts. */
type WindowsRow = readonly [level: RiskLevel, back: Reversible, says: string, words: RegExp]

const READS = 'only reads'
const ANY = /^/

/** Answers by program. Patterns match the arguments, joined by spaces, in lower case. */
const ROWS: Readonly<Record<string, readonly WindowsRow[]>> = {
  reg: [
    ['none', 'yes', READS, /^(?:query|compare|export)\b/],
    ['high', 'partly', 'changes the registry', ANY],
  ],
  schtasks: [
    ['none', 'yes', READS, /^(?:$|\/query)/],
    ['high', 'partly', 'changes scheduled tasks', ANY],
  ],
  vssadmin: [
    ['none', 'yes', READS, /^(?:$|list)/],
    ['critical', 'no', 'deletes backups', /^(?:delete|resize)/],
    ['medium', 'yes', 'changes backups', ANY],
  ],
  wbadmin: [
    ['none', 'yes', READS, /^(?:$|get)/],
    ['critical', 'no', 'deletes backups', /^delete/],
    ['high', 'partly', 'changes backups', ANY],
  ],
  bcdedit: [
    ['none', 'yes', READS, /^(?:$|\/enum|\/v)/],
    ['critical', 'partly', 'changes how the machine starts', ANY],
  ],
  diskpart: [
    ['high', 'no', 'opens a disk management session', /^$/],
    ['critical', 'no', 'changes disks with a script', ANY],
  ],
  cipher: [
    ['none', 'yes', READS, /^(?:$|\/c)/],
    ['high', 'no', 'wipes deleted data', /\/w/],
    ['medium', 'partly', 'encrypts or decrypts files', ANY],
  ],
  net: [
    [
      'none',
      'yes',
      READS,
      /^(?:$|user(?: [\w.-]+)?$|localgroup(?: [\w.-]+)?$|group$|start$|view|share$|use$|accounts$|statistics|config|time$|session$)/,
    ],
    ['high', 'partly', 'changes accounts, services or shares', ANY],
  ],
  icacls: [
    ['none', 'yes', READS, /^[^/]*$/],
    ['high', 'partly', 'changes permissions of whole folders, or for everyone', /\/t\b|everyone|\*s-1-1-0|users:/],
    ['medium', 'partly', 'changes permissions', ANY],
  ],
  takeown: [['high', 'partly', 'takes ownership of files', ANY]],
  sc: [
    ['none', 'yes', READS, /^(?:$|query|queryex|qc|qdescription|getdisplayname)/],
    ['high', 'partly', 'changes services', ANY],
  ],
  wmic: [
    ['critical', 'no', 'deletes backups', /shadowcopy delete/],
    ['high', 'unknown', 'changes or starts something', /\b(?:call|delete|set|create)\b/],
    ['none', 'yes', READS, ANY],
  ],
  wevtutil: [
    ['none', 'yes', READS, /^(?:$|el|gl|qe|gli|ep|gp)\b/],
    ['high', 'no', 'clears or changes logs', ANY],
  ],
  fsutil: [
    ['none', 'yes', READS, /\b(?:query|info|list|fsinfo)\b|^$/],
    ['high', 'no', 'changes a file system', ANY],
  ],
  certutil: [
    ['none', 'yes', READS, /^-?(?:$|hashfile|dump|verify|store)\b/],
    ['high', 'unknown', 'fetches, decodes or trusts something', ANY],
  ],
  netsh: [
    ['none', 'yes', READS, /\bshow\b|^$/],
    ['high', 'partly', 'changes the network', ANY],
  ],
  robocopy: [
    ['high', 'no', 'deletes files that are missing from the source', /\/(?:mir|purge|mov)/],
    ['medium', 'partly', 'copies files', ANY],
  ],
  taskkill: [['medium', 'no', 'ends processes', ANY]],
  bitsadmin: [['high', 'unknown', 'fetches files', ANY]],
  mshta: [['high', 'unknown', 'runs code', ANY]],
  regsvr32: [['high', 'unknown', 'runs code', ANY]],
  rundll32: [['high', 'unknown', 'runs code', ANY]],
}

/** Windows programs: options start with a slash, in any case. */
export const assessWindows: Assess = ({ part, program }): RiskFinding => {
  const rows = ROWS[program.replace(/\.exe$/, '')] ?? []
  const said = wordsOf(part)
  if (said === null) return finding('high', 'windows.unknown', `the effect of ${program} is unknown`, 'unknown')
  const row = rows.find(([, , , words]) => words.test(said))
  const [level, back, says]: readonly [RiskLevel, Reversible, string, ...unknown[]] = row ?? [
    'high',
    'unknown',
    'does something unknown',
  ]
  return finding(level, `windows.${level}`, `${program} ${says}`, back)
}

function wordsOf({ args }: CommandPart): string | null {
  if (args.some(({ value }) => value === null)) return null
  return args
    .map(({ value }) => value)
    .join(' ')
    .slice(0, 2000)
    .toLowerCase()
}
