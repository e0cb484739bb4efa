package servicetest

// TrailPath is the endpoint of the audit trail.
const TrailPath = "/app/api/trail/"
