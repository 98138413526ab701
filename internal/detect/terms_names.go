package detect

// givenNames are common given names, lower case, of English, French, Spanish, German
// and some other use: our own short selection, not extracted from a register. They only
// confirm a name under a key that may name anything.
var givenNames = set(
	"james", "john", "robert", "michael", "william", "david", "richard", "joseph", "thomas", "charles", "christopher", "daniel", "matthew", "anthony", "mark", "donald", "steven", "paul", "andrew", "joshua",
	"kenneth", "kevin", "brian", "george", "edward", "ronald", "timothy", "jason", "jeffrey", "ryan", "jacob", "gary", "nicholas", "eric", "jonathan", "stephen", "larry", "justin", "scott", "brandon", "benjamin",
	"samuel", "gregory", "frank", "alexander", "raymond", "patrick", "jack", "dennis", "jerry", "tyler", "aaron", "jose", "adam", "henry", "nathan", "douglas", "zachary", "peter", "kyle", "walter", "ethan",
	"jeremy", "harold", "keith", "christian", "roger", "noah", "gerald", "carl", "terry", "sean", "austin", "arthur", "lawrence", "jesse", "dylan", "bryan", "joe", "jordan", "billy", "bruce", "albert", "willie",
	"gabriel", "logan", "alan", "juan", "wayne", "roy", "ralph", "randy", "eugene", "vincent", "russell", "elijah", "louis", "bobby", "philip", "johnny", "liam", "oliver", "lucas", "mason", "aiden", "caleb",
	"mary", "patricia", "jennifer", "linda", "elizabeth", "barbara", "susan", "jessica", "sarah", "karen", "lisa", "nancy", "betty", "margaret", "sandra", "ashley", "kimberly", "emily", "donna", "michelle",
	"carol", "amanda", "dorothy", "melissa", "deborah", "stephanie", "rebecca", "sharon", "laura", "cynthia", "kathleen", "amy", "angela", "shirley", "anna", "brenda", "pamela", "emma", "nicole", "helen",
	"samantha", "katherine", "christine", "debra", "rachel", "carolyn", "janet", "catherine", "maria", "heather", "diane", "ruth", "julie", "olivia", "joyce", "virginia", "victoria", "kelly", "lauren",
	"christina", "joan", "evelyn", "judith", "megan", "andrea", "cheryl", "hannah", "jacqueline", "martha", "gloria", "teresa", "ann", "sara", "madison", "frances", "kathryn", "janice", "jean", "abigail",
	"alice", "julia", "judy", "sophia", "grace", "denise", "amber", "doris", "marilyn", "danielle", "beverly", "isabella", "theresa", "diana", "natalie", "brittany", "charlotte", "marie", "kayla", "alexis", "lori",
	"chloe", "mia", "amelia", "ava", "ella", "lily", "zoe", "casey", "robin", "jamie", "taylor", "morgan", "alex", "sam", "chris", "kim", "jane", "erin", "holly", "kristen", "tiffany", "crystal", "erica",
	"luc", "pierre", "jacques", "françois", "andré", "michel", "nicolas", "julien", "antoine", "mathieu", "hugo", "théo", "camille", "léa", "manon", "chloé", "inès", "sophie", "claire", "élodie", "aurélie",
	"céline", "nathalie", "isabelle", "sylvie", "françoise", "monique", "jeanne", "noémie", "océane", "émilie", "amélie", "mathilde", "étienne", "benoît", "frédéric", "stéphane", "thierry", "marguerite",
	"carlos", "luis", "miguel", "josé", "antonio", "manuel", "francisco", "javier", "jesús", "pedro", "diego", "pablo", "sergio", "fernando", "rafael", "alberto", "carmen", "ana", "lucía", "sofía", "sofia", "elena",
	"marta", "paula", "pilar", "rosa", "isabel", "cristina", "raúl", "álvaro", "andrés", "lucia", "mateo", "santiago", "alejandro", "ricardo", "roberto",
	"hans", "klaus", "jürgen", "wolfgang", "stefan", "thomas", "andreas", "markus", "martin", "sebastian", "tobias", "florian", "lukas", "leon", "felix", "jonas", "anke", "heike", "sabine", "petra", "monika",
	"ursula", "greta", "lena", "lea", "katharina", "johanna", "friedrich", "karl", "otto", "jan", "lars", "sven", "anja", "birgit", "claudia", "heidi", "ingrid", "max", "moritz", "tessa",
	"mohammed", "mohamed", "muhammad", "ahmed", "ali", "omar", "fatima", "aisha", "hassan", "ibrahim", "yusuf", "khalid", "layla", "amira", "wei", "li", "ming", "chen", "mei", "yuki", "hiroshi", "kenji", "sakura",
	"priya", "rahul", "raj", "anita", "sanjay", "arjun", "ananya", "vikram", "deepa", "kavya", "ravi", "sunita", "ivan", "olga", "dmitri", "natasha", "sergei", "tatiana", "anastasia", "giulia", "marco", "luca", "giovanni",
	"francesca", "matteo", "chiara", "kwame", "chidi", "ngozi", "amara", "thabo", "minh", "linh", "ian", "simon", "graham", "nigel", "fiona")
