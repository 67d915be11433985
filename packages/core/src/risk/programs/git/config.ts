import { finding } from '../../report/finding.ts'
import { type Assess, anyFlag } from '../assessor/assessor.ts'

/** Settings that name a program for git to run, another URL, or another settings file. */
const RUNS =
  /^(?:core\.(?:hookspath|pager|editor|fsmonitor|sshcommand|askpass|gitproxy|worktree|attributesfile|alternaterefscommand)|alias\.|credential\.|url\.|include\.|includeif\.|filter\.|diff\.(?:external|.*\.(?:command|textconv))|difftool\.|mergetool\.|merge\..*\.driver|gpg\.|protocol\.|pager\.|sequence\.editor|ssh\.|remote\..*\.(?:uploadpack|receivepack|proxy|vcs)|http\.(?:proxy|sslverify|sslcainfo|cookiefile|.*\.sslverify)|submodule\..*\.update|uploadpack\.|receive\.|init\.templatedir|sendemail\.|browser\.|man\.|web\.|trailer\.|safe\.(?!directory)|push\.gpgsign|interactive\.difffilter|core\.sshcommand|log\.showsignature|tar\.|hook\.|extensions\.|guitool\.|instaweb\.)/i

/** Settings that only change output, or the author's name. */
const HARMLESS =
  /^(?:color\.|column\.|advice\.|user\.(?:name|email)$|author\.|committer\.|init\.defaultbranch$|log\.(?!showsignature)|diff\.(?:renames|context|noprefix|mnemonicprefix|algorithm|colormoved|submodule|wserrorhighlight|tool)$|commit\.(?:gpgsign|verbose|template)$|tag\.(?:gpgsign|sort)$|branch\.sort$|core\.(?:quotepath|autocrlf|eol|safecrlf|filemode|ignorecase|longpaths|abbrev|precomposeunicode|commentchar|symlinks|untrackedcache|preloadindex|logallrefupdates|whitespace|compression|excludesfile)$|merge\.(?:conflictstyle|ff|renames|renamelimit|stat)$|pull\.(?:rebase|ff)$|push\.(?:default|autosetupremote|followtags)$|fetch\.(?:prune|prunetags|parallel|recursesubmodules)$|rebase\.(?:autostash|autosquash|updaterefs)$|rerere\.|gc\.(?:auto|autodetach)$|protocol\.version$|safe\.directory$|status\.|grep\.|blame\.|format\.|i18n\.|feature\.|index\.|pack\.|http\.(?:postbuffer|lowspeedlimit|lowspeedtime|version|useragent)$|submodule\.(?:recurse|fetchjobs)$|credential\.interactive$|transfer\.|checkout\.|clone\.|diff\.)/i

/** Values that switch a program off. */
const OFF = new Set(['', 'cat', 'true', ':', 'false', '/dev/null', 'no', '0'])

/** Whether a setting can run a program or redirect git to another server. */
export function injectsSetting(setting: string): boolean {
  const equals = setting.indexOf('=')
  const name = equals === -1 ? setting : setting.slice(0, equals)
  if (equals !== -1 && OFF.has(setting.slice(equals + 1)) && !/^(?:alias|filter|url|include)/i.test(name)) return false
  return RUNS.test(name) || !HARMLESS.test(name)
}

/** Well-known programs that people choose for these settings. */
const USUAL =
  /^(?:(?:n?vim?|nano|emacs|code --wait|code|subl -[nw]+|less(?: -\w+)*|delta|bat|diff-so-fancy)|osxkeychain|manager|manager-core|libsecret|cache(?: --timeout=\d+)?|ssh|openpgp)$/

const READ_FLAGS =
  /^(?:-l|--list|--get(?:-all|-regexp|-urlmatch|-color|-colorbool)?|--show-origin|--show-scope|--name-only)$/
const WRITE_FLAGS = /^--(?:unset|add|replace|remove|rename|edit)|^-e$/
const NEW_VERBS = new Set(['set', 'get', 'list', 'unset', 'edit', 'rename-section', 'remove-section'])

/** `git config`: reading, a setting of this repository, one for all of them, or one that runs a program later. */
export const assessGitConfig: Assess = ({ part, verb }) => {
  const rest = verb.kind === 'verb' ? verb.rest.map((word) => word.value) : [null]
  const words = rest.filter((word) => word === null || !word.startsWith('-'))
  const named = words[0] !== undefined && words[0] !== null && NEW_VERBS.has(words[0]) ? words[0] : null
  const writes = rest.some((word) => word !== null && WRITE_FLAGS.test(word))
  const reads =
    named === 'get' ||
    named === 'list' ||
    (named === null && !writes && (words.length <= 1 || rest.some((word) => word !== null && READ_FLAGS.test(word))))
  if (reads) return finding('none', 'git.none', 'git config only reads')
  const [key, value] = named === null ? words : words.slice(1)
  const target = key != null && /^[\w.-]{1,80}$/.test(key) ? { target: key } : {}
  const unsets = named === 'unset' || rest.some((word) => word?.startsWith('--unset') === true)
  if (
    key === null ||
    (key !== undefined &&
      RUNS.test(key) &&
      !unsets &&
      !(value != null && (USUAL.test(value) || (value !== '' && OFF.has(value)))))
  )
    return finding('high', 'git.config', 'git config sets a program to run later or another server', 'yes', target)
  if (anyFlag(part, '--system'))
    return finding('high', 'git.config', 'git config changes settings for every user of the machine', 'yes', target)
  const everywhere = anyFlag(part, '--global') ? ' for every repository' : ''
  return finding('medium', 'git.config', `git config changes a setting${everywhere}`, 'yes', target)
}
