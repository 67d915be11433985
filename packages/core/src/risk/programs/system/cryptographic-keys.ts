import { arityOfRow, lastValue, readArgs } from '../../arguments/argument-parser.ts'
import { targetNamed } from '../../arguments/displayable-name.ts'
import { typedOptions } from '../../arguments/typed-options.ts'
import { plainWords } from '../../path/unresolved-path.ts'
import { finding } from '../../report/finding.ts'
import { type Assess, anyFlag } from '../assessor/assessor.ts'

const DEFAULT_KEY = /(?:^|\/)id_(?:rsa|dsa|ecdsa|ed25519|ecdsa_sk|ed25519_sk)$/

/** `ssh-keygen`. */
export const assessKeygen: Assess = ({ part, row }) => {
  const { options } = readArgs(part, arityOfRow(row))
  const has = (...names: readonly string[]) => options.some(({ name }) => names.includes(name))
  const host = options.find(({ name }) => name === '-R')?.value
  if (has('-R'))
    return finding('high', 'keys.known-hosts', 'ssh-keygen removes the key of a known host', 'partly', {
      reach: 'one',
      ...targetNamed(host),
    })
  if (
    has('-l', '-B', '-F', '-L', '-y', '-e', '-i', '-r') ||
    (has('-Y') &&
      /^(?:verify|check-novalidate|find-principals|match-principals)$/.test(
        options.find(({ name }) => name === '-Y')?.value ?? '',
      ))
  )
    return finding('none', 'keys.read', 'ssh-keygen only shows or checks a key')
  if (has('-A', '-k', '-u'))
    return finding('high', 'keys.machine', 'ssh-keygen changes the keys of the machine', 'partly')
  if (has('-s')) return finding('medium', 'keys.sign', 'ssh-keygen signs a key', 'partly')
  if (has('-Y')) return finding('low', 'keys.sign', 'ssh-keygen signs a file')
  if (has('-H')) return finding('low', 'keys.known-hosts', 'ssh-keygen hides the names of known hosts')
  if (has('-p', '-c'))
    return finding('medium', 'keys.change', 'ssh-keygen changes the passphrase or the comment of a key', 'partly')
  const file = lastValue({ words: [], options, doubt: 0, end: 0 }, new Set(['-f']))
  if (typeof file === 'string' && DEFAULT_KEY.test(file))
    return finding('high', 'keys.overwrite', 'ssh-keygen may overwrite a sign-in key', 'no', {
      reach: 'one',
      ...targetNamed(file),
    })
  return finding('medium', 'keys.make', 'ssh-keygen creates a key', 'yes')
}

/** `ssh-add`, `ssh-agent`. */
export const assessAgent: Assess = ({ part, program }) => {
  if (program === 'ssh-agent')
    return anyFlag(part, '-k')
      ? finding('medium', 'keys.agent', 'ssh-agent stops')
      : finding('low', 'keys.agent', 'ssh-agent starts')
  if (anyFlag(part, '-l', '-L', '-T')) return finding('none', 'keys.read', 'ssh-add only lists keys')
  if (anyFlag(part, '-D', '-d', '-x', '-X', '-e'))
    return finding('medium', 'keys.agent', 'ssh-add removes keys from the agent', 'yes', {
      reach: anyFlag(part, '-D') ? 'all' : 'one',
    })
  if (anyFlag(part, '-s', '-S')) return finding('high', 'keys.provider', 'ssh-add loads a library', 'unknown')
  return finding('low', 'keys.agent', 'ssh-add adds a key to the agent', 'yes')
}

type GpgRow = readonly [RegExp, Parameters<typeof finding>[0], string, Parameters<typeof finding>[3]]

const GPG: readonly GpgRow[] = [
  [/^--export-(?:secret|ssh-secret)|^--export-secret-subkeys/, 'high', 'prints secret keys', 'no'],
  [/^--delete-secret/, 'high', 'deletes secret keys', 'no'],
  [/^--(?:send-keys?|gen-revoke|generate-revocation|quick-revoke)/, 'high', 'publishes or revokes a key', 'no'],
  [/^--(?:delete-keys?|delete-key)/, 'medium', 'deletes public keys', 'partly'],
  [/^(?:-d|--decrypt|--decrypt-files)$/, 'medium', 'prints a secret', 'no'],
  [
    /^--(?:import|recv-keys?|receive-keys|refresh-keys|fetch-keys|locate-keys|search-keys|import-ownertrust|auto-key-locate)/,
    'medium',
    'adds keys',
    'yes',
  ],
  [
    /^--(?:full-)?gen(?:erate)?-key|^--full-generate-key|^--quick-(?:gen|add|set|sign|lsign)|^--(?:edit-key|sign-key|lsign-key|change-passphrase|passwd|card-edit|edit-card|tsign-key)/,
    'medium',
    'creates or changes keys',
    'partly',
  ],
  [
    /^(?:--verify|--verify-files|--list-|-k$|-K$|--fingerprint|--check-|--print-md|--show-keys?|--with-colons|--dump-options|--export$|--export-ssh-key|--card-status|--version|--list-packets|--dearmor|--enarmor|--gen-random|--locate-external-key)/,
    'none',
    'only reads',
    'yes',
  ],
  [
    /^(?:-c|--symmetric|-e|--encrypt|-s|--sign|-b|--detach-sign|--clear-?sign|-[abesrcuo]*[sbec][abesrcuo]*)$/,
    'low',
    'signs or encrypts a file',
    'yes',
  ],
]

/** `gpg`: an option names the action. */
export const assessGpg: Assess = ({ part, program, row }) => {
  if (typedOptions(part, row).some(({ type }) => type === 'runs'))
    return finding('high', 'keys.run', `${program} runs the program it is given`, 'unknown')
  for (const [flag, level, says, back] of GPG) {
    if (part.args.some(({ value }) => value !== null && flag.test(value)))
      return finding(level, `keys.${level}`, `${program} ${says}`, back)
  }
  // A file alone is decrypted or verified, whatever it is.
  return plainWords(part).length > 0
    ? finding('medium', 'keys.medium', `${program} opens a file`, 'no')
    : finding('low', 'keys.low', `${program} uses keys`)
}

/** `keytool`, `age`, `minisign`, `ykman`: other keys. */
export const assessOtherKeys: Assess = ({ part, program }) => {
  const words = part.args.map(({ value }) => value ?? '')
  const has = (pattern: RegExp) => words.some((word) => pattern.test(word))
  if (has(/^-?(?:list|printcert|printcertreq|printcrl|showinfo|info|help|-V|--version)$/))
    return finding('none', 'keys.read', `${program} only reads`)
  if (has(/^-?delete$|^reset$/)) return finding('high', 'keys.delete', `${program} deletes keys`, 'no')
  if (has(/^(?:-d|--decrypt)$/)) return finding('medium', 'keys.decrypt', `${program} prints a secret`, 'no')
  if (program === 'keytool' || program === 'ykman' || program === 'age-keygen')
    return finding('medium', 'keys.change', `${program} creates or changes keys`, 'yes')
  return finding('low', 'keys.use', `${program} signs or encrypts a file`)
}
