import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Home, openOwnFolder } from '@countersign/node'

const NAME = /^edit-(\d+)-/
const DEADLY = ['SIGTERM', 'SIGHUP'] as const

/**
 * A folder in the home, which only its owner reads, for as long as `use` takes; gone afterwards, whatever ends this process
 * short of SIGKILL.
 */
export async function withEditFolder<T>(home: Home, use: (folder: string) => Promise<T>): Promise<T> {
  openOwnFolder(home.run, 'CS_HOME')
  const folder = mkdtempSync(join(home.run, `edit-${process.pid}-`))
  const remove = (): void => rmSync(folder, { recursive: true, force: true })
  const die = (signal: NodeJS.Signals): void => {
    remove()
    process.off(signal, die)
    process.kill(process.pid, signal) // for who else listens, or for the end
  }
  process.on('exit', remove)
  for (const signal of DEADLY) process.on(signal, die)
  try {
    return await use(folder)
  } finally {
    for (const signal of DEADLY) process.off(signal, die)
    process.off('exit', remove)
    remove()
  }
}

/** Removes what processes left that were killed while somebody edited. */
export function clearEditFolders(home: Home): void {
  for (const name of namesIn(home.run)) {
    const pid = Number(NAME.exec(name)?.[1] ?? process.pid)
    if (pid !== process.pid && !isAlive(pid)) rmSync(join(home.run, name), { recursive: true, force: true })
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return [] // made when it is first needed
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH')
  }
}
