import { assessGh, assessGlab, assessHub } from '../git/code-hosts.ts'
import { assessGit } from '../git/git.ts'
import { assessHg, assessJj, assessSvn } from '../git/other-version-control.ts'
import { fixed, type ProgramRow, READS } from './program-row.ts'

/** Programs for repositories and their hosts. */
export const GIT: readonly ProgramRow[] = [
  ['git', assessGit],
  ['hg chg', assessHg],
  ['svn', assessSvn],
  ['jj', assessJj],
  ['gh', assessGh],
  ['glab', assessGlab],
  ['hub tea', assessHub],
  ['tig gitk lazygit gitui git-cola gitg', fixed('low', 'vcs.browse', 'opens the repository to look and work in')],
  ['git-lfs git-filter-repo bfg', fixed('high', 'vcs.rewrite', 'rewrites history')],
  ['svnlook svnversion', READS],
  ['svnadmin cvs bzr fossil p4 darcs', fixed('medium', 'vcs.other', 'works on a repository')],
  ['gitleaks trufflehog git-secrets detect-secrets ggshield', READS],
]
