import { finding } from '../../report/finding.ts'
import type { Assess } from '../assessor/assessor.ts'
import { byRows, verbRater } from '../assessor/verb-table.ts'

const READS = 'only reads'
const stripe = verbRater({
  family: 'services',
  shape: 'compound',
  valued:
    '-d --data -e --expand --api-key --stripe-account --project-name -p --forward-to -f --forward-connect-to --events --limit --amount --currency --customer --charge --live-key',
  rows: [
    [
      'none',
      'yes',
      READS,
      'listen, logs tail, logs, status, version, help, resources, samples list, get, open, config --list, events list, fixtures --dry, docs, whoami',
    ],
    [
      'low',
      'yes',
      'sends made-up events to the test account',
      'trigger, samples create, samples, serve, completion, community, feedback',
    ],
    ['medium', 'yes', 'signs in', 'login, logout, config'],
    [
      'high',
      'partly',
      'changes an account',
      'post, fixtures, delete, events resend, products create, prices create, customers create, customers update, customers delete, webhook_endpoints create, coupons create, subscriptions create, subscriptions update, subscriptions cancel',
    ],
    [
      'high',
      'no',
      'moves money',
      'refunds create, charges create, charges capture, payment_intents create, payment_intents confirm, payment_intents capture, payment_intents cancel, invoices pay, invoices send, invoices finalize_invoice, invoices void_invoice, disputes close, credit_notes create',
    ],
    [
      'critical',
      'no',
      'pays money out',
      'payouts create, transfers create, topups create, transfer_reversals create, payouts reverse, issuing',
    ],
  ],
  flags: [{ verbs: 'trigger', flags: '--live', level: 'high', back: 'no', says: 'acts on the live account' }],
  otherwise: 'high',
})

/** `stripe`: money. */
export const assessStripe: Assess = (facts) => stripe(facts).finding

/** `twilio`, `sendgrid`, `mailgun`, `slack`, `signal-cli`, `telegram-send`, `ntfy`: people receive it. */
export const assessMessages: Assess = (facts) => {
  const { part, program } = facts
  const words = part.args.map(({ value }) => value ?? '').filter((word) => word !== '' && !word.startsWith('-'))
  const first = words[0] ?? ''
  if (words.length === 0 && program !== 'telegram-send')
    return finding('none', 'services.bare', `${program} is given nothing to send`)
  if (/^(?:login|logout|profiles:|config|auth|plugins|autocomplete)/.test(first))
    return finding('medium', 'services.configure', `${program} signs in or changes its own settings`, 'yes')
  if (
    /(?:^|:)(?:list|fetch|help|version|listContacts|listGroups|receive|logs|debugger)/.test(first) ||
    /:(?:list|fetch|logs)\b/.test(words.slice(0, 2).join(':'))
  )
    return finding('none', 'services.read', `${program} only reads`)
  if (/(?:^|:)(?:remove|delete)$/.test(first))
    return finding('high', 'services.delete', `${program} deletes in an account`, 'no')
  return finding('high', 'services.message', `${program} sends messages or changes an account`, 'no')
}

/** `cast`, `solana`, `bitcoin-cli`, `lncli`: wallets. */
export const assessWallet = byRows({
  family: 'services',
  shape: 'compound',
  valued: '--rpc-url -r --from --keypair -k --url -u --private-key --account -rpcconnect --network -n',
  oneDash: true,
  rows: [
    [
      'none',
      'yes',
      READS,
      'balance, call, block, block-number, chain-id, abi-encode, abi-decode, calldata, keccak, sig, tx, receipt, storage, code, nonce, gas-price, getbalance, getblockchaininfo, getblockcount, getblock, getnetworkinfo, getwalletinfo, listtransactions, listunspent, address, account, cluster-version, config get, epoch-info, slot, validators, getinfo, walletbalance, channelbalance, listchannels, listpeers, transaction-history, confirm, logs, 4byte, to-wei, from-wei, interface, estimate, state, view-account',
    ],
    ['low', 'yes', 'works on a chain for testing', 'airdrop, rpc, decode, encode, config set'],
    [
      'critical',
      'no',
      'moves money',
      'send, transfer, sendtoaddress, sendmany, sendrawtransaction, sendpayment, payinvoice, sendcoins, pay, publish, program deploy, stake-account, delegate-stake, withdraw-stake, closechannel, openchannel, bumpfee, send-raw',
    ],
    [
      'high',
      'no',
      'works on the keys of a wallet',
      'wallet, dumpprivkey, importprivkey, signrawtransactionwithwallet, walletpassphrase, create, backupwallet, dumpwallet, import, unlock, changepassword',
    ],
  ],
  otherwise: 'high',
})

/** `certbot`, `acme.sh`, `lego`, `mkcert`. */
export const assessCertbot = byRows({
  family: 'services',
  valued:
    '-d --domain --domains --cert-name --cert-path -w --webroot-path -m --email --server --preferred-challenges --deploy-hook --config-dir --work-dir --logs-dir --reason --key-path --path --dns',
  bare: ['high', 'changes the certificates of this machine'],
  rows: [
    ['none', 'yes', READS, 'certificates, plugins, show_account, list'],
    [
      'high',
      'partly',
      'changes certificates',
      'certonly, run, renew, install, enhance, rollback, register, update_account, reconfigure',
    ],
    ['high', 'no', 'takes certificates away', 'revoke, delete, unregister'],
  ],
  otherwise: 'high',
})

const hostedData = verbRater({
  family: 'services',
  shape: 'compound',
  valued: '--org --project -o --output --team --token --dataset --format --branch --role --database -c --config',
  rows: [
    [
      'none',
      'yes',
      READS,
      'org list, database list, db list, db show, branch list, branch show, project list, projects list, auth status, auth whoami, connection-string, info, issues list, releases list, monitor list, sourcemaps explain, dataset list, documents get, documents query',
    ],
    [
      'low',
      'yes',
      'works here',
      'init, dev, connect, shell, sourcemaps inject, bash-hook, start, schema extract, typegen generate, build',
    ],
    [
      'medium',
      'yes',
      'signs in or sends build data',
      'login, logout, auth login, auth logout, sourcemaps upload, releases new, releases finalize, releases set-commits, upload-dif, debug-files upload, dataset export, send-event',
    ],
    [
      'high',
      'no',
      'prints or makes a credential',
      'db tokens create, password create, service-token create, auth token, auth print-token',
    ],
    [
      'critical',
      'no',
      'destroys a store',
      'db destroy, database delete, branch delete, project delete, projects delete, dataset delete, org destroy, group destroy',
      'all',
    ],
  ],
  otherwise: 'high',
})

/** `turso`, `pscale`, `neonctl`, `sentry-cli`, `sanity`, `contentful`, `eas`, `shopify`, `atlas`, `snyk`: accounts elsewhere. */
export const assessAccount: Assess = (facts) => hostedData(facts).finding
