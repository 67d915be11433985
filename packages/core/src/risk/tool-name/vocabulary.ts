import { wordSet } from '../arguments/word-set.ts'
import type { RiskLevel } from '../report/level.ts'

/** What sort of act a verb of a tool's name promises. */
export type Effect = 'read' | 'look' | 'small' | 'write' | 'run' | 'remote' | 'send' | 'pay' | 'destroy' | 'admin'

/** The level of each effect where its object says nothing else. A name alone makes nothing less than medium but a read. */
export const EFFECT_LEVEL: Readonly<Record<Effect, RiskLevel>> = {
  read: 'none',
  look: 'low',
  small: 'medium',
  write: 'medium',
  run: 'high',
  remote: 'high',
  send: 'high',
  pay: 'high',
  destroy: 'high',
  admin: 'high',
}

/** Verbs whose effect does not follow from their kind. */
export const VERB_EFFECTS: ReadonlyMap<string, Effect> = new Map(
  (
    [
      [
        'small',
        `draft star unstar like follow pin unpin bookmark mute mark stage commit checkout init initialize
        download curl wget http request mkdir touch build compile test generate transcode
        subscribe schedule queue tag label annotate track format clone copy cp duplicate resize crop snooze acknowledge ack
        triage prioritize play pause skip turn dim capture open load dismiss print refresh hide reorder renew unfollow unlike unwatch unsubscribe`,
      ],
      [
        'write',
        `comment upload push submit click type press act install start python node order sign trash archive uninstall
        detach unassign resume launch doubleclick tap fill drag void abort forget disconnect paste vote select compose mount unmount
        power poweron eject decline reject switch shift seed upgrade logout revert undo`,
      ],
      [
        'remote',
        `deploy undeploy restart stop shutdown reboot halt rollback release promote demote scale migrate merge rebase
        trigger dispatch failover drain cordon provision approve restore publish unpublish finalize rollout ship cutover
        hibernate evacuate bounce autoscale downscale upscale reroute silence actuate dispense disarm poweroff yank deprecate retract retire sunset flash
        reimage reprovision administer prescribe ignite takeoff repoint throttle`,
      ],
      [
        'send',
        `send post notify email mail message reply tweet retweet broadcast announce forward dm invite call dial sms fax
        alert ring syndicate crosspost deliver blast nudge remind respond inform advertise boost lodge`,
      ],
      [
        'pay',
        `pay transfer charge refund buy purchase donate tip withdraw deposit wire remit payout trade sell swap stake bid
        invest book disburse settle redeem mint liquidate reserve rent repay reimburse topup waive bet wager credit debit fulfill fund lend borrow recharge prepay spend sponsor`,
      ],
      [
        'admin',
        `grant revoke authorize impersonate sudo chmod chown rotate share unlock ban deactivate block suspend bypass
        override unprotect elevate assume quarantine isolate freeze unfreeze allowlist whitelist unblock offboard fire
        rekey reinstate reactivate allow permit kick expel unseal federate exempt entitle jailbreak`,
      ],
      ['look', 'fetch browse navigate visit goto crawl scrape'],
    ] as const
  ).flatMap(([effect, words]) =>
    words
      .trim()
      .split(/\s+/)
      .map((word): [string, Effect] => [word, effect]),
  ),
)

/** Stores and whole things: to destroy one is critical. */
export const STORES = wordSet(
  'database databases db dbs schema schemas table tables collection collections keyspace bucket buckets cluster clusters ' +
    'namespace namespaces project projects repository repositories repo repos account accounts tenant tenants org ' +
    'organization organisation organizations volume volumes disk disks drive partition filesystem backup backups snapshot ' +
    'snapshots vault stack stacks infrastructure environment environments everything data device devices domain domains ' +
    'workspace workspaces datastore warehouse terraform tf infra',
)

/** Things whose loss is small or easily made good. */
export const LIGHT = wordSet(
  'label labels tag tags reaction reactions cart cache caches caching draft drafts bookmark bookmarks reminder reminders ' +
    'timer timers alarm alarms filter filters selection tab tabs breakpoint breakpoints highlight form input screen ' +
    'terminal console temp tmp favorite star pin notification notifications todo clipboard view dist artifact ' +
    'artifacts build builds job jobs run runs download upload assignee whitespace watermark background ' +
    'package dependency dependencies process',
)

/** Rights, keys and what is exposed: to change one is high. */
export const ADMIN_OBJECTS = wordSet(
  'permission permissions role roles acl acls iam password passwords credential credentials secret secrets admin admins ' +
    'owner owners ownership privilege privileges mfa 2fa totp sso firewall dns webhook webhooks visibility public ' +
    'collaborator collaborators access protection certificate certificates apikey policy policies sudo security ' +
    'nameserver nameservers ingress tunnel forwarding autoforward oauth allowlist whitelist denylist blocklist waf cors ' +
    'collaboration entitlement entitlements scim saml delegation bank salary retention kubeconfig sudoers maintenance mx cname traffic ledger sessions forwarder forwarders claim claims authorized firmware crontab cron',
)
/** `key` and `token` are rights only behind one of these: `api_key`, `access_token`. */
export const KEY_OWNERS = wordSet(
  'api ssh authorized access signing encryption deploy private secret auth session refresh bearer service gpg',
)
export const KEYS = wordSet('key keys token tokens')

/** What a read of these gives away. */
export const SECRETS = wordSet('secret secrets password passwords credential credentials apikey passphrase')

/** Money, and what asks for it. */
export const MONEY = wordSet(
  'payment payments refund refunds payout payouts transfer transfers purchase purchases trade trades order orders ' +
    'transaction transactions funds money withdrawal deposit charge charges trades disbursement bid bet credit credits payroll bonus giftcard',
)
/** Behind money these are only papers about it. */
export const PAPERS = wordSet(
  'link links method methods template templates report reports page form plan reminder note list',
)
/** Words and messages that reach people. */
export const MESSAGES = wordSet(
  'message messages email emails mail sms tweet tweets notification notifications dm newsletter announcement reply ' +
    'phonecall call post posts broadcast campaign campaigns',
)
/** Changes that go live. */
export const LIVE = wordSet('deployment deployments release releases rollout rollouts')

/** Whole places of work: to archive, close or lock one is felt by everybody in it. */
export const WHOLES = wordSet(
  'channel channels repo repos repository repositories project projects workspace workspaces team teams organization org ' +
    'space board group account accounts user users customer tenant site store database table position positions company ' +
    'server guild forum device devices',
)
/** What guards people and data: to switch one off is high. */
export const GUARDS = wordSet(
  'mfa 2fa totp alarm alarms alert alerts alerting monitor monitors monitoring protection protections firewall waf logging log ' +
    'logs audit auditing trail backup backups encryption antivirus security ssl tls sso guardrail guardrails user users ' +
    'account accounts member check checks validation verification policy rule rules detector safety limit limits',
)
/** Acts spelled as things: `schedule_deletion` deletes. */
export const ACTS_AS_THINGS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    deletion: 'delete',
    removal: 'remove',
    closure: 'close',
    termination: 'terminate',
    shutdown: 'shutdown',
    suspension: 'suspend',
    deactivation: 'deactivate',
    revocation: 'revoke',
    cancellation: 'cancel',
    restart: 'restart',
    reboot: 'reboot',
    failover: 'failover',
    rollback: 'rollback',
    wipe: 'wipe',
    reset: 'reset',
    purge: 'purge',
    restore: 'restore',
    migration: 'migrate',
    disbursement: 'disburse',
    teardown: 'teardown',
  }),
)

/** Verbs that bring the thing named after them about: `create_refund` refunds. */
export const MAKERS = wordSet(
  'create make add cut submit schedule queue launch place issue capture initiate process execute start perform confirm complete finalize new run trigger do',
)

/** What may be run without much ado. */
export const BENIGN_RUNS = wordSet(
  'test tests unit e2e spec specs build builds lint linter check checks query queries report reports analysis search ' +
    'diagnostics benchmark benchmarks typecheck format formatter simulation healthcheck audit scan eval evaluation ' +
    'timer stopwatch preview server recording session conversation chat thread tour game workflowpreview expression formula',
)

/** Everything there is. */
export const ALL_WORDS = wordSet('all everything every entire whole factory')

/** A name goes on with where or how: `delete_row_from_table` is about a row. */
export const PREPOSITIONS = wordSet('from in by for on of to with at via into as using per within off out')

/** Machines and services: to stop, pause or resize one is felt elsewhere. */
export const MACHINES = wordSet(
  'instance instances vm vms server servers service services deployment deployments machine machines node nodes pod pods ' +
    'replica replicas function lambda site app project cluster database branch zone zones pipeline campaign',
)
/** To stop one of these stops nothing that matters. */
export const HARMLESS_STOPS = wordSet(
  'recording timer stopwatch music playback track song video animation listening typing monitoring watching stream ' +
    'preview debugger tracing profiling polling',
)

/** Servers and areas where every change is one of infrastructure or of rights. */
export const INFRASTRUCTURE = wordSet(
  'kubernetes k8s kubectl helm argocd flux terraform tf pulumi aws ec2 rds eks gke aks iam gcp gcloud azure cloudflare ' +
    'route53 okta auth0 ldap ad keycloak',
)
