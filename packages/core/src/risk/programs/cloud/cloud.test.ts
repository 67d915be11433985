import { describe, expect, it } from 'vitest'
import { rateShell } from '../../fixture.mts'
import { eachIsRated } from '../level-rows.mts'

describe('clouds and services', () => {
  eachIsRated(
    'none',
    `terraform -chdir=infra plan
    terraform plan -destroy
    terraform destroy -help
    terragrunt run-all plan
    pulumi preview
    cdk diff
    ansible-playbook site.yml --check
    ansible all -m ping
    aws s3 ls
    aws --profile prod ec2 describe-instances
    aws logs tail /aws/lambda/api --follow
    aws s3 sync ./dist s3://bucket --delete --dryrun
    gcloud run services list
    gcloud --project p compute instances describe delete-me
    az vm list -o table
    heroku logs --tail -a shop
    wrangler tail
    rclone sync ./a remote:b --dry-run
    restic snapshots`,
  )
  eachIsRated('low', `terraform init\nsupabase start\nvercel dev\nstripe trigger payment_intent.succeeded`)
  eachIsRated(
    'medium',
    `aws s3 cp ./report.csv s3://bucket/report.csv
    aws configure set region eu-west-1
    gcloud config set project my-app
    vercel deploy
    supabase db reset`,
  )
  eachIsRated(
    'high',
    `terraform apply -auto-approve
    terraform state rm aws_instance.web
    ansible all -m shell -a 'systemctl restart nginx'
    aws s3 rm s3://bucket/key.txt
    aws s3 sync ./dist s3://bucket --delete
    aws secretsmanager get-secret-value --secret-id db
    aws ssm get-parameter --name /db/pw --with-decryption
    aws iam attach-user-policy --user-name x --policy-arn arn:aws:iam::aws:policy/AdministratorAccess
    aws ec2 terminate-instances --instance-ids i-0abc
    aws s3 cp x.html s3://bucket --acl public-read
    gcloud auth print-access-token
    az role assignment create --assignee x --role Owner
    vercel --prod
    netlify deploy --prod
    fly deploy
    heroku pg:reset DATABASE_URL --confirm shop
    fly apps destroy shop -y
    aws secretsmanager delete-secret --secret-id db
    vault kv get secret/db
    op read op://vault/db/password
    security find-generic-password -s x -w
    stripe refunds create --charge ch_1
    twilio api:core:messages:create --to +1 --body hi
    certbot revoke --cert-name x`,
  )
  eachIsRated(
    'critical',
    `terraform -chdir=infra destroy -auto-approve
    terraform apply -destroy
    pulumi destroy --yes
    cdk destroy --force
    aws --profile x s3 rb s3://bucket --force
    aws s3 rm s3://bucket --recursive
    aws cloudformation delete-stack --stack-name s
    aws rds delete-db-instance --db-instance-identifier main --skip-final-snapshot
    aws ec2 purchase-reserved-instances-offering --instance-count 10
    gcloud projects delete my-app
    gsutil -m rm -r gs://bucket
    az group delete --name rg --yes
    firebase firestore:delete --all-collections -f
    supabase db reset --linked
    restic forget --keep-last 1 --prune
    borg delete /backup/repo
    stripe payouts create --amount 5000`,
  )

  it('names the destroyed resource', () => {
    expect(rateShell('aws cloudformation delete-stack --stack-name shop')).toMatchObject({
      reversible: 'no',
      target: 'shop',
    })
    expect(rateShell('aws s3 rb s3://bucket --force')).toMatchObject({
      target: 's3://bucket',
      magnitude: { reach: 'all' },
    })
  })

  it('never shows a value being set', () => {
    const report = rateShell('heroku config:set TOKEN=hunter2hunter2 -a shop')
    expect(JSON.stringify([report.reasons, report.target])).not.toContain('hunter2')
    expect(report.target).toBe('shop')
  })

  it('rates a small change higher in production', () => {
    expect(rateShell('wrangler d1 execute db --command x').level).toBe('medium')
    expect(rateShell('wrangler d1 execute db --command x --env production').level).toBe('high')
  })
})
