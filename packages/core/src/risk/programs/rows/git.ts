import { assessGh } from '../cloud.ts'
import { assessGit } from '../git.ts'
import { fixed, type ProgramRow } from './row.ts'

/** Programs for repositories and their hosts. */
export const GIT: readonly ProgramRow[] = [
  ['git', assessGit],
  ['hg svn jj', fixed('medium', 'vcs.other', 'works on a repository')],
  ['gh', assessGh],
  ['glab hub', fixed('high', 'vcs.remote', 'changes things on a server')],
]
