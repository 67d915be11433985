import type { Kind } from '../descriptor.ts'

const list = (words: string): readonly string[] => words.trim().split(/\s+/)

/** Verbs by the kind of effect they promise. Only the bare form counts: `deleted` says what a thing is, not what is done. */
const VERBS: { readonly [kind in Exclude<Kind, 'other'>]: readonly string[] } = {
  read: list(`read get list show view search find describe count inspect cat ls stat head tail grep glob lookup status
    info peek preview explain summarize summarise retrieve diff tree pwd whoami ping check verify validate compare
    calculate compute convert translate estimate predict classify detect extract parse analyze analyse monitor watch
    observe measure trace audit simulate recommend suggest think recall snapshot screenshot scan poll wait
    outline enumerate filter sort rank match locate transcribe ocr diagnose hash encode decode tokenize dryrun plan log blame whois geocode recognize identify sequentialthinking help lint ask hover introspect
    aggregate consult explore discover learn research reveal decrypt unmask reflect brainstorm autocomplete`),
  fetch: list('fetch download browse crawl scrape curl wget navigate visit goto http request'),
  query: list('query sql select'),
  write:
    list(`write create update edit modify set add insert save append patch put replace change apply upsert store make
    mkdir touch assign close merge commit enable disable configure register import copy cp restore approve sync archive
    overwrite accept authorize confirm lock unlock tag attach grant mark track toggle chmod chown link symlink export
    checkout rebase stage fork format draft star unstar like follow pin unpin bookmark mute rotate promote demote
    generate provision resolve print expose dump increase decrease transition label annotate duplicate clone init
    initialize reopen unarchive finalize complete process issue place transcode resize crop compress snooze acknowledge ack triage prioritize play
    pause skip turn dim capture open load dismiss fill drag compose reassign waive adjust override bypass
    freeze unfreeze quarantine isolate allowlist whitelist denylist unblock unmute silence point reroute redirect
    unprotect protect elevate escalate assume anonymize redact encrypt rekey opt arm disarm unshare unlist hide
    unsubscribe rebalance onboard activate reactivate reinstate delegate vote blacklist transform
    refresh renew extend raise lower customize personalize reorder pick choose new allow permit deny alter
    authenticate decline reject rsvp pair connect switch shift seed reseed adjust credit debit upgrade downgrade
    fulfill logout revert undo unfollow unlike unwatch enroll throttle rewrite repoint remap reassemble
    rebuild reformat unset unseal federate exempt entitle cut`),
  move: list('move mv rename relocate'),
  send: list(`send post publish notify email mail message reply tweet retweet invite share pay transfer charge refund
    buy order purchase submit broadcast announce comment upload push book withdraw forward subscribe sms call dial
    donate tip sign dm wire remit payout trade sell swap stake bid invest deposit fax unpublish alert disburse settle
    redeem mint liquidate ring paste syndicate crosspost reserve rent lease hire repay reimburse topup deliver blast
    nudge remind respond bet wager inform advertise boost lodge fund lend borrow recharge prepay spend sponsor`),
  execute:
    list(`run exec execute eval evaluate spawn shell bash sh zsh terminal command launch start invoke trigger deploy
    install build restart stop shutdown reboot halt script python node powershell sudo compile test rollback scale
    schedule queue dispatch act click doubleclick tap type press migrate failover drain cordon release resume suspend
    undeploy impersonate rollout ship cutover hibernate evacuate bounce autoscale downscale upscale actuate dispense
    perform poweroff poweron power eject unmount mount exploit attack bruteforce crack phish exfiltrate spoof ddos hijack infect
    flash reimage reprovision jailbreak administer prescribe ignite takeoff`),
  delete:
    list(`delete remove rm rmdir del drop destroy purge erase wipe clear truncate unlink kill terminate revoke reset
    cancel uninstall prune clean cleanup shred trash discard flush evict ban deactivate clobber nuke expunge detach
    empty expire unassign unregister deregister obliterate block teardown decommission delist offboard fire burn
    dismantle void forget abort unpair disconnect dissolve flushall flushdb kick expel evict unfriend invalidate yank deprecate retract
    scrub eliminate demolish scrap dispose retire sunset rescind nullify annul unbind unenroll unschedule reclaim raze
    blackhole sinkhole abandon`),
}

/** Weakest first. A name with several verbs is taken at its strongest. */
export const STRENGTH: readonly Kind[] = [
  'read',
  'fetch',
  'query',
  'other',
  'write',
  'move',
  'send',
  'execute',
  'delete',
]

export const KIND_OF: ReadonlyMap<string, Kind> = new Map(
  STRENGTH.flatMap((kind) => (kind === 'other' ? [] : VERBS[kind].map((verb): [string, Kind] => [verb, kind]))),
)

/** Words that are as often a noun. After another verb, and without an `and`, they name what it acts on: `get_message`. */
export const NOUNS: ReadonlySet<string> = new Set(
  list(`message email mail comment order script build command request query test tag post link status info diff tree
    format share call archive commit branch import export http sql node type queue schedule book charge store set shell
    terminal patch change merge fork transfer payment refund release purchase reply invite payout deposit trade bid
    stake tip push sign trigger launch label draft pin bookmark log plan snapshot screenshot scan match alert issue
    process block report view head start text page search filter sort rank track star lock checkout sms tweet job
    install migrate migration test lint hash check help run function result status move copy clone python bash
    transition place file audit measure trace monitor watch wait print count list paste lease rent vote point delegate
    override hire reserve settle fire ring profile protect arm swap transform raise new power mount bet blast pair credit debit switch shift seed attack crack upgrade adjust fund flash boost spend cut`),
)

/** Words that join two acts: behind one, a verb is a verb. */
export const JOINERS: ReadonlySet<string> = new Set([
  'and',
  'or',
  'then',
  'also',
  'plus',
  'with',
  'n',
  'after',
  'before',
])

/** Verbs that only ask whether or how another act would go: `preview_delete`, `can_delete`, `validate_deploy`. */
export const PROBES: ReadonlySet<string> = new Set(
  list(
    'preview validate check verify simulate estimate plan explain dryrun is has can should would audit monitor watch',
  ),
)

/** Behind a verb these make it a thing: `get_delete_history`, `list_deploy_logs`. */
export const RECORDS: ReadonlySet<string> = new Set(
  list(`history log logs status info report reports event events audit policy policies settings setting preview plan
    request requests stats statistics metrics protection date time timestamp summary record records permission
    permissions options schema progress queue jobs job trail reason reasons template templates docs errors error
    configuration config result results output link links url key keys id ids rate rates ratio marker markers state
    states point points count counts threshold thresholds limit limits window windows type types mode modes candidates
    eligibility notice instructions guide tutorial version versions`),
)

/** Names of products and areas that servers put before the verb: `slack_list_channels`. */
export const AREAS: ReadonlySet<string> = new Set(
  list(`slack github gitlab jira confluence notion linear asana trello discord telegram gmail google drive calendar
    docs sheets outlook teams s3 ec2 aws gcp azure k8s kubernetes kubectl docker helm terraform tf db sql postgres mysql
    sqlite mongo mongodb redis elastic browser puppeteer playwright page fs file filesystem git hubspot salesforce
    stripe shopify zendesk airtable figma sentry datadog grafana prometheus cloudflare vercel netlify supabase firebase
    memory vault conversations chat users channels api mcp npm pip cargo web directory dir whatsapp signal twilio
    sendgrid mailchimp ses sns bulk mass batch auto quick direct force hard tavily exa brave firecrawl perplexity
    context7 deepwiki serper duckduckgo bing wikipedia arxiv pubmed maps weather pagerduty opsgenie okta auth0
    launchdarkly intercom freshdesk clickup monday basecamp pipedrive twitter reddit linkedin youtube spotify zoom
    miro canva webflow wordpress contentful sanity quickbooks xero plaid paypal square neo4j elasticsearch opensearch
    qdrant pinecone weaviate chroma milvus clickhouse snowflake bigquery databricks duckdb dynamodb cassandra kafka
    rabbitmq nats consul etcd nomad argocd jenkins circleci buildkite gcs r2 route53 lambda rds iam gdrive onedrive
    dropbox box sharepoint cloudwatch sqs ecs eks cloudtrail athena glue sagemaker bedrock cloudformation kms
    secretsmanager ssm logging monitoring pubsub gke storage compute keyvault aks cosmos loki tempo mimir newrelic honeycomb
    splunk kibana firestore auth realtime rtdb crashlytics functions bitbucket gitea forgejo snyk sonarqube codecov segment mixpanel amplitude posthog lsp npmjs pypi huggingface openai anthropic replicate xcode ios android adb chrome devtools
    computer desktop screen editor ide code repo workspace project crm erp hr billing shop cms analytics ga4`),
)

/** Names that begin so ask a question and do nothing; whether they only read, nobody said: `can_delete_user`. */
export const QUESTIONS: ReadonlySet<string> = new Set(list('is has can should would does was are'))

/**
 * Plain things. A read verb may stand behind them (`pods_list`, `dns_lookup`); behind a word that is none of these, nor an
 * area nor a plural, nobody knows what the first word does.
 */
export const THINGS: ReadonlySet<string> = new Set(
  list(`pod node deployment container image volume service instance cluster namespace server vm machine function dns domain
    zone record host port user account member team group role org organization tenant customer client contact lead deal
    company employee vendor supplier product item inventory sku catalog price cart order invoice payment refund charge
    subscription balance ledger transaction budget issue ticket task epic sprint board card pr pull request branch commit
    release build job run workflow pipeline artifact test suite alert incident monitor alarm metric log event trace span
    dashboard chart report dataset table row column schema database collection document index key value cache queue topic
    message thread channel conversation mail email inbox label folder file directory path note page block comment review
    calendar meeting booking flight hotel room weather forecast stock market crypto news article video audio photo image
    map place route location address device sensor light thermostat door camera session token model prompt embedding
    vector knowledge memory graph entity relation symbol definition reference diagnostic type class method variable
    package dependency module library registry tag repository repo project workspace site form field setting config
    configuration environment stack resource object bucket blob secret certificate policy permission audit usage quota
    cost billing health console network web tab window element dom accessibility storage process system disk cpu gpu kv parameter attachment thread sheet cell folder tree call
    content text code source data info feed history timeline activity profile avatar people person time date timezone
    currency exchange rate unit search query result state version changelog vulnerability advisory license active enabled available valid ready
    online admin`),
)

/** What a name with no verb at all asks for when it ends so: `pods_log`, `collection_schema`, `maps_directions`. */
export const INFORMATION: ReadonlySet<string> = new Set(
  list(`log logs top status schema schemas stats statistics metrics health version info history forecast directions weather
    freebusy availability diagnostics references definition definitions usages summary usage changelog outline details
    metadata hierarchy suggestions completions matrix elevation timezone geocoding quote quotes leaderboard ps df du
    uptime whoami schemata contents ancestry lineage coverage toc glossary indexes indices`),
)
