import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type HostName, loadSettings, type PlanOptions } from '@countersign/hosts'
import { openHome } from '@countersign/node'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { parse } from 'yaml'

export const settings = await loadSettings()

/** A row of files.yaml. */
export interface SettingsRow {
  readonly name: string
  readonly host: HostName
  readonly path: string
  readonly text?: string
  readonly base64?: string
  /** Of a file of zeros. */
  readonly size?: number
  readonly mode?: string
  readonly folderMode?: string
  /** The file is a link to this path. */
  readonly link?: string
  /** The folder of the file is a link to this one. */
  readonly folderLink?: string
  readonly isFolder?: true
  readonly ours?: true
  readonly elsewhere?: true
  readonly refused?: string
}

export const ROWS: readonly SettingsRow[] = parse(readFileSync(join(import.meta.dirname, 'files.yaml'), 'utf8'))

/** A private account with the files of a row, and how to plan for it. */
export function prepare({ host, path, link, folderLink, isFolder, mode, folderMode, ...row }: SettingsRow) {
  const root = temporaryFolder()
  const accountHome = join(root, 'account')
  const project = join(root, 'project')
  const file = join(accountHome, path)
  mkdirSync(project)
  if (folderLink === undefined) mkdirSync(dirname(file), { recursive: true })
  else {
    mkdirSync(join(accountHome, folderLink), { recursive: true })
    symlinkSync(join(accountHome, folderLink), dirname(file))
  }
  const real = link === undefined ? file : join(accountHome, link)
  mkdirSync(dirname(real), { recursive: true })
  const content =
    row.base64 !== undefined
      ? Buffer.from(row.base64, 'base64')
      : row.size !== undefined
        ? Buffer.alloc(row.size)
        : row.text
  if (content !== undefined) writeFileSync(real, content)
  if (link !== undefined) symlinkSync(real, file)
  if (isFolder) mkdirSync(file)
  if (mode !== undefined) chmodSync(real, Number.parseInt(mode, 8))
  if (folderMode !== undefined) chmodSync(dirname(real), Number.parseInt(folderMode, 8))
  const home = openHome(join(root, 'home'))
  const options: PlanOptions = {
    machine: { accountHome, project, platform: 'linux', env: {} },
    scope: 'user',
    home,
    launcher: ['/opt/node/bin/node', '/opt/it’s here/countersign.js'],
  }
  return { root, accountHome, project, file, real, home, options, found: foundAgent(host) }
}

/** An agent as if it had been found, in a recent version. */
export function foundAgent(host: HostName, version: string | null = '2.1.327') {
  const agent = settings.AGENTS.find(({ name }) => name === host)
  if (agent === undefined) throw new Error(host)
  return { agent, program: null, version, inProject: false }
}
