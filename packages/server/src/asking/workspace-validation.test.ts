import { chmodSync, mkdirSync, statSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { connectGate } from '@countersign/node'
import { openServiceWorld } from '@countersign/testing/gate/service'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it } from 'vitest'
import { createWorkspaceReader } from './workspace-validation.ts'

/** A project in a public folder, and one in a private folder next to it. */
function newPlace() {
  const folder = temporaryFolder()
  chmodSync(folder, 0o755)
  const [project, secret] = [join(folder, 'project'), join(folder, 'secret')]
  mkdirSync(join(project, 'part'), { recursive: true })
  mkdirSync(secret)
  mkdirSync(join(secret, 'inside'))
  for (const open of [project, join(project, 'part'), join(secret, 'inside')]) chmodSync(open, 0o755)
  chmodSync(secret, 0o700)
  return { folder, project, secret }
}

/** The reader's answer for a path, as text. */
function said(read: (dir: string) => string, dir: string): string {
  try {
    return read(dir)
  } catch (error) {
    return error instanceof Error ? error.message : ''
  }
}

function isOpenAbove(): boolean {
  let at = dirname(temporaryFolder())
  for (; at !== dirname(at); at = dirname(at)) if ((statSync(at).mode & 0o001) === 0) return false
  return true
}

describe('an asker’s workspace over a shared socket', () => {
  const NOBODY = 54_321

  it('can be one that everyone can read', ({ skip }) => {
    skip(!isOpenAbove(), 'the temporary folder is closed to others here')
    const { project } = newPlace()
    const read = createWorkspaceReader({ group: NOBODY })
    expect(read(project)).toBe(project)
    expect(read(join(project, 'part'))).toBe(join(project, 'part'))
  })

  it('can be one that the group can read', ({ skip }) => {
    skip(!isOpenAbove(), 'the temporary folder is closed to others here')
    const { secret } = newPlace()
    chmodSync(secret, 0o710)
    expect(createWorkspaceReader({ group: statSync(secret).gid })(secret)).toBe(secret)
    expect(() => createWorkspaceReader({ group: NOBODY })(secret)).toThrow()
  })

  it('does not reveal what exists where the asker cannot read (A3)', () => {
    const { folder, project, secret } = newPlace()
    const read = createWorkspaceReader({ group: NOBODY })
    const link = (name: string, to: string) => {
      symlinkSync(to, join(folder, name))
      return join(folder, name)
    }
    const answers = [
      secret,
      join(secret, 'inside'),
      join(secret, 'none'),
      join(folder, 'none'),
      link('there', join(secret, 'inside')),
      `${secret}/inside/../../project`,
      `${secret}/none/../../project`,
      link('through', `${secret}/inside/../../project`),
      link('through-none', `${secret}/none/../../project`),
      link('plain', project),
      '/etc',
      '/',
      'project',
      '',
      `${project}\0`,
    ].map((dir) => said(read, dir))
    expect(new Set(answers).size).toBe(1)
    expect(answers[0]).toContain('this workspace is not allowed')
  })
})

describe('listed workspaces', () => {
  it('are the only ones allowed, with their subfolders', () => {
    const { folder, project, secret } = newPlace()
    const read = createWorkspaceReader({ listed: [project, secret] })
    for (const dir of [project, join(project, 'part'), secret, join(secret, 'inside')]) expect(read(dir)).toBe(dir)
    symlinkSync(folder, join(project, 'out'))
    const answers = [folder, `${project}x`, join(project, 'out'), join(project, 'none'), '/usr'].map((dir) =>
      said(read, dir),
    )
    expect(new Set(answers).size).toBe(1)
  })

  it('are validated before the service starts', () => {
    expect(() => createWorkspaceReader({ listed: ['/nowhere/at/all'] })).toThrow(
      expect.objectContaining({ code: 'CS_WORKSPACE' }),
    )
  })

  it('are checked at every hello, by the real path', async () => {
    const { folder, project } = newPlace()
    const { service } = await openServiceWorld({ workspaces: [project] })
    const connect = (workspace: string) =>
      connectGate({ address: { socket: service.socket }, workspace, version: '0.1.0' })
    await expect(connect(folder)).rejects.toMatchObject({ code: 'CS_WORKSPACE' })
    const link = join(temporaryFolder(), 'link')
    symlinkSync(project, link)
    for (const dir of [project, link]) (await connect(dir)).close()
  })
})
