/** The folder to resolve a path in: the call's own, or the one that a `cd` changed to. */
export function folderOf(cwd: string | null, callCwd: string, home: string): string {
  if (cwd === null || cwd === '') return callCwd
  if (cwd.startsWith('~')) return home + cwd.slice(1)
  return cwd.startsWith('/') ? cwd : `${callCwd}/${cwd}`
}

/** The folder of a part when the command starts in `folder`; an absolute or home folder stays. */
export function startedIn(folder: string, own: string | null): string | null {
  if (own === null || own.startsWith('/') || own.startsWith('~')) return own
  return own === '' ? folder : `${folder}/${own}`
}
