import { assessCloud, assessPulumi, assessTerraform } from '../cloud.ts'
import { fixed, type ProgramRow } from './row.ts'

/** Programs for clouds and services. */
export const CLOUD: readonly ProgramRow[] = [
  ['terraform tofu terragrunt', assessTerraform],
  ['pulumi cdk cdktf', assessPulumi],
  ['aws gcloud az gsutil bq doctl oci ibmcloud linode-cli scw hcloud s3cmd', assessCloud],
  [
    'ansible ansible-playbook heroku fly flyctl vercel netlify wrangler firebase serverless sls railway ' +
      'supabase eb sam argocd flux vault op pass security certbot stripe twilio velero borg restic rclone',
    fixed('high', 'cloud.other', 'changes things on other machines or services'),
  ],
]
