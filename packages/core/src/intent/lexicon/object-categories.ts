import { FOREIGN_THINGS } from '../languages/foreign-nouns.ts'
import type { Thing } from '../model/thing.ts'
import { words } from '../text/words.ts'

const THINGS: Readonly<Record<Thing, ReadonlySet<string>>> = {
  /** Parts of a program or a text under edit: version control has them. */
  code: words(`import imports variable variables line lines comment whitespace space spaces function functions method
    methods class classes parameter parameters param params argument arguments prop props semicolon semicolons typo typos
    section paragraph sentence heading block blocks snippet test tests case cases assertion assertions warning warnings
    lint dependency dependencies devdependencies endpoint endpoints button buttons handler handlers route routes component components css style
    styles rule flag flags option hook hooks type types interface interfaces constant constants todo todos bullet link
    badge call calls statement statements logic condition loop branch-logic code readme changelog docs documentation
    helper helpers util utils module modules wrapper decorator annotation attribute attributes property properties
    regex pattern string strings literal console.log print prints debug duplication boilerplate bug bugs error errors
    feature toggle selector margin padding screen page form-field signature callback promise listener listeners
    constructor getter setter enum stub stubs spec specs implementation operation command query mutation resolver
    codebase syntax indentation quotes comma commas brackets references mention mentions wording phrase text script
    validation check checks placeholder default duplicates formatting shim polyfill macro todo-list example examples
    middleware template templates layout icon animation keyword keywords element elements item-renderer dropdown menu modal dialog
    migration-file workaround hack fallback limit timeout retry unit linter hardcoded video animation timer timers spinner observable handle handles memory prefix suffix character characters
    array arrays dict dictionary dictionaries map set hash buffer buffers stream streams counter cursor iterator element value values field fields
    state input inputs output url uri expression expressions subscription-handler reducer stack-frame pointer thread mutex goroutine
    tuple struct closure coroutine future observable event-listener dom node-list widget tooltip label labels tab-bar layout grid heading
    footer header sidebar navbar font color colour typing typings generics overload overloads lambda-function todo-comment slate`),
  /** Made again at will. */
  scratch: words(`temp temporary tmp cache caches cached build dist node_modules artifact artifacts artefacts .next
    __pycache__ coverage scratch fixture fixtures mock mocks dummy intermediate venv .venv pyc sandbox playground draft
    generated .cache lockfile screenshot screenshots pid swap tempfile placeholder-data breakpoint breakpoints
    temporal temporaire temporaires temporäre temporären temporales temporário temporários caché`),
  schema: words(`table tables database databases db dbs column columns schema schemas index indexes indices view views
    keyspace collection collections constraint partition partitions rows row datastore tablespace foreign-key trigger`),
  data: words(`account accounts user users customer customers record records row rows table tables database databases db
    dbs collection collections column columns schema schemas file files folder folders directory directories document
    documents backup backups snapshot snapshots bucket buckets volume volumes data dataset datasets order orders invoice
    invoices email emails message messages photo photos image images repo repos repository repositories branch branches
    tag tags commit commits history log logs entry entries product products subscriber subscribers contact contacts
    lead leads key keys secret secrets credential credentials namespace namespaces queue queues topic topics disk drive
    storage project projects workspace workspaces environment environments site website domain domains dns zone datacenter pii dump dumps .git reflog stash worktree namespace mailboxes bookings booking reservations
    certificate certificates subscription subscriptions payment payments transaction transactions tenant tenants
    organization organizations organisation organisations org profile profiles post posts ticket tickets event events calendar
    playlist schedule schedules job jobs contents config configuration configurations configs settings registry member members employee employees patient patients
    student students client clients everything stack stacks resource resources inbox mailbox archive archives wallet
    replica replicas shard shards index indexes partition partitions info information list objects s3 home inventory
    price prices pricing balance balances stock listing listings vendor vendors release releases model models checkpoints
    deployment deployments channel channels group groups item items asset assets video videos report reports notes
    media customer-data mailing-list feature-flag upload uploads preferences permissions migrations changes work session sessions token tokens .env`),
  infra: words(`server servers service services cluster clusters node nodes instance instances vm vms pod pods
    container containers site website app application machine machines router host hosts worker workers process
    processes daemon nginx postgres postgresql mysql mongodb redis kafka elasticsearch system computer database
    databases db gateway balancer load-balancer firewall api backend fleet region network vpc deployment deployments stack infrastructure
    pipeline queue scheduler apache replica replicas box boxes laptop workload workloads lambda ec2 rds droplet primary firmware bios gpu gpus datacenter connection connections switch vpn tunnel volume topic broker dag cronjob cdn`),
  people:
    words(`clientes usuarios usuários clients utilisateurs kunden benutzer nutzer kundinnen user users customer customers subscriber subscribers everyone everybody team client clients member
    members employee employees patient patients student students contacts lead leads recipient recipients people staff
    journalist agency lawyer competitor reporter them him her boss manager vendor vendors supplier suppliers investor investors board press partners partner list
    audience followers company department candidates candidate applicants parents tenant tenants colleague colleagues
    colleagues all-hands ceo cto hr stakeholders attendees participants mailing mailing-list auditors contractors contractor supplier outsiders guests guest volunteers donors voters residents drivers passengers readers buyers sellers shareholders regulators regulator`),
  message:
    words(`correo correos mensaje mensajes courriel courriels nachricht nachrichten mensagem mensagens e-mail email emails e-mail e-mails mail mails message messages newsletter newsletters notification
    notifications sms text texts tweet tweets announcement announcements invitation invitations invite invites letter
    letters invoice invoices reminder reminders campaign reply replies dm dms alert alerts digest memo push post update fax offer
    statement complaint response report contract slack survey surveys`),
  request: words(`request requests query ping signal packet payload get head http probe test heartbeat events event
    metric metrics telemetry log logs trace data options headers bytes prompt`),
  money:
    words(`escrow deposit funds credit charge money fund funds payment payments refund refunds card invoice invoices subscription plan license
    licenses licence vendor supplier ticket tickets hotel flight domain domains order payroll salary salaries bill
    deposit credits fee fees customer customers bonus bitcoin shares stock stocks crypto wallet balance item items ads
    client clients account seat seats server servers hosting equipment supplies reservation room tokens`),
  access:
    words(`door doors valve garage lock port ports firewall internet security-group admin administrator access permission permissions privilege privileges role roles root owner
    ownership superuser sudo credentials credential key keys token tokens secret secrets password passwords certificate
    certificates acl policy iam api-key api-keys write-access public contributor collaborator scopes owners admins maintainer maintainers cluster-admin group groups`),
  package: words(`package packages dependency dependencies module modules library libraries plugin extension tool
    tools requirements deps sdk binary driver drivers globally`),
  release: words(`version release build package crate gem image app application site website product campaign update
    library article post blog changelog feature features hotfix model results report page docs documentation
    announcement newsletter change changes code service image artifact artifacts update migration function worker`),
  trunk: words('main master trunk production prod release origin/main origin/master upstream develop live protected'),
  public: words(`public publicly internet world twitter x linkedin facebook instagram slack reddit forum blog youtube
    website hacker-news discord teams #general everyone externally mastodon social npm pypi crates.io channel`),
  guard: words(`account accounts user users auth authentication authorization firewall monitoring alerts alerting
    alarm alarms mfa 2fa backups backup security logging audit protection customer customers service services tls ssl
    certificate encryption antivirus safety safeguards interlock replication failover rate-limiting access api login
    selinux git-hook two-factor 2-factor two-step captcha quota quotas limits rate-limit rate-limits review reviews checks sso ids ips edr scanner scanning sandboxing versioning deletion-protection siem cortafuegos pare-feu copias sauvegardes sicherungen autenticación authentification authentifizierung autenticação site website safety-checks rls branch-protection member members employee employees vpn password cdn waf`),
  contract:
    words(`membership memberships booking bookings reservation reservations appointment appointments loan loans insurance mortgage visa enrollment registration trip flight flights hotel orders form application claim order payment return tax taxes contract agreement bid offer proposal payroll filing
    terms invoice transaction declaration document nda lease trade application-form resignation complaint expense report`),
  disk: words('disk disks drive drives partition partitions volume volumes usb ssd hdd sd card'),
  /** What everybody depends on, wherever it is. */
  vital: words(
    'owner owners billing payment-method budget dose dosage medication iban salary salaries dns traffic primary cname mx route53 pump reactor valve turbine breaker boiler ventilator interlock brakes nameserver domain apex nameservers payroll prices firewall gateway password passwords permission permissions privileges ownership',
  ),
  /** What opens doors: shown to anyone else, it is spent. */
  secret:
    words(`customer-data card-number card-numbers secret secrets credential credentials password passwords passphrase passphrases private-key private-keys api-key
    api-keys api-token api-tokens .env .env.local .env.production id_rsa keystore vault keychain .pem .npmrc .netrc kubeconfig service-account.json
    pii ssn ssns credenciales contraseña contraseñas identifiants zugangsdaten passwort passwörter kennwörter credenciais senha senhas`),
  /** Work that no remote may have. */
  work: words(`.git stash stashes reflog worktree uncommitted unstaged unsaved unpushed untracked working-copy git-history commits
    commit history branch branches repo repository changes edits modifications work backups backup snapshots snapshot`),
  /** What there are many of, each somebody's. */
  entity:
    words(`row rows record records user users customer customers account accounts tenant tenants member members subscriber
    subscribers order orders invoice invoices subscription subscriptions employee employees patient patients student students client
    clients contact contacts lead leads profile profiles ticket tickets transaction transactions payment payments product products
    price prices balance balances license licenses organization organizations organisation organisations device devices machine machines host hosts
    server servers instance instances pod pods node nodes cluster clusters service services table tables database databases
    session sessions everyone everybody staff catalogue channels channel repos repositories projects mailboxes keys tokens certificates catalog parents parent subscriptions licences websites domains environments customer-data`),
  /** Nothing but words between us. */
  talk: words(`explanation explanations analysis summary overview details detail review investigation walkthrough question questions
    example examples option options list breakdown recap comparison outline research reading search discussion
    description feedback attention answer answers suggestion suggestions you me yourself tutorial conversation hint clarification`),
}

const BY_WORD: ReadonlyMap<string, ReadonlySet<Thing>> = (() => {
  const found = new Map<string, Set<Thing>>()
  for (const [thing, set] of Object.entries(THINGS) as [Thing, ReadonlySet<string>][])
    for (const word of [...set, ...words(FOREIGN_THINGS[thing] ?? '')])
      found.set(word, (found.get(word) ?? new Set()).add(thing))
  return found
})()

/** Words that are themselves and a plural: no more of them than there are in the tables. */
const JOINED = new Map<string, ReadonlySet<Thing>>()

/** What a word names; empty when we do not know it. */
export function thingsOf(word: string): ReadonlySet<Thing> {
  const [own, one] = [BY_WORD.get(word) ?? compoundOf(word), BY_WORD.get(singular(word))]
  if (own === undefined || one === undefined || own === one) return own ?? one ?? NOTHING
  const known = JOINED.get(word) ?? new Set([...own, ...one])
  JOINED.set(word, known)
  return known
}

function singular(word: string): string {
  if (word.endsWith('ciones')) return `${word.slice(0, -6)}ción`
  if (word.endsWith('ções')) return `${word.slice(0, -4)}ção`
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`
  return word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word
}

/** German writes them as one: `Kundendatenbank` is a `Datenbank`. */
const GERMAN_HEADS = [
  ...words(
    'datenbank datenbanken server konto konten daten tabelle tabellen dateien datei schlüssel system systeme umgebung rechte verzeichnis cluster dienst rechnung rechnungen sicherung sicherungen kunden',
  ),
]

function compoundOf(word: string): ReadonlySet<Thing> | undefined {
  if (word.length < 9 || word.length > 40) return undefined
  const head = GERMAN_HEADS.find((one) => word.length > one.length + 2 && word.endsWith(one))
  return head === undefined ? undefined : BY_WORD.get(head)
}

const NOTHING: ReadonlySet<Thing> = new Set()

/** Words that only say which of them: no part of a type. */
export const ADJECTIVES =
  words(`old older oldest inactive unused stale expired duplicate duplicated existing remaining legacy orphaned
  orphan all every entire whole current new these those this that the a an my our your their its his her some any each many several
  multiple few other last first latest obsolete outdated deprecated following above selected affected matching specified live
  production prod staging test real permanently about around approximately roughly over nearly almost more than exactly
  up to both complete full big large huge of only actual unneeded unnecessary dead redundant invalid broken failed
  remote local previous bulk mass such certain same said empty extra archived dormant least most next`)

export const ALL_WORDS =
  words(`all every entire whole 100% everything everyone everybody complete full each todos todas todo toda tous toutes
  tout toute alle alles sämtliche sämtlichen gesamte gesamten todos todas tudo inteira inteiro entero entera`)

export const PRODUCTION_WORDS =
  words(`customer-data production prod live customer customers prod-db production-db prd master-db
  producción produccion produktion produktiv produktivsystem produktionsdatenbank produktionsumgebung produktivdatenbank produção producao prod1 real
  kunden kundendaten clientes clients-production prod-eu prod-us`)

export const SANDBOX_WORDS =
  words(`emulator simulator minikube localstack docker-compose fake stubbed sample toy local locally localhost test testing tests staging dev development sandbox sandboxed temp temporary tmp
  scratch playground fixture mock mocked dummy demo preview throwaway ephemeral dry-run dry simulation simulated in-memory
  feature non-production nonprod non-prod qa testdatenbank pruebas prueba teste testes local-db test-db testdb
  testumgebung essai`)
